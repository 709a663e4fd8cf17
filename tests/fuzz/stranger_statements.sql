CREATE VIEW v AS ENDLESS
CREATE VIEW v AS SELECT load_extension('CANARY') UNION ALL ENDLESS
CREATE VIEW v AS SELECT writefile('CANARY', 'x'), readfile('KEPT')
ALTER TABLE T RENAME TO old_T; CREATE VIEW T AS SELECT *, (ENDLESS) FROM old_T
ALTER TABLE T RENAME TO old_T; CREATE VIEW T AS ENDLESS
CREATE TRIGGER t AFTER INSERT ON T BEGIN SELECT (ENDLESS); END
CREATE TRIGGER t BEFORE UPDATE ON T BEGIN DELETE FROM run; END
CREATE TABLE extra (a)
CREATE TABLE engine_game (first INTEGER)
CREATE TABLE extra (a, b AS (LONG))
CREATE TABLE extra (a, b AS (LONG) STORED)
ALTER TABLE T ADD COLUMN more AS (LONG)
ALTER TABLE T ADD COLUMN more TEXT DEFAULT 'x'
CREATE INDEX i ON T (checksum)
CREATE INDEX i ON T (abs(checksum))
CREATE INDEX i ON T (checksum) WHERE length(LONG) > 0
CREATE VIRTUAL TABLE f USING fts5(a)
CREATE VIRTUAL TABLE f USING rtree(a, b, c)
CREATE VIRTUAL TABLE f USING csv(filename='KEPT')
DROP TABLE T
DELETE FROM T
PRAGMA application_id = 7
PRAGMA user_version = 99
PRAGMA journal_mode = WAL
PRAGMA encoding = 'UTF-16'; VACUUM
PRAGMA page_size = 65536; VACUUM
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'number = 1', 'number = 1 OR abs(random()) > length(randomblob(1000000000))')
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'IN (', 'NOT IN (')
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = sql || ' -- ESCAPE[2J'
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'T'
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'T'
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'T'
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'view' WHERE name = 'T'
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = 'x' WHERE name = 'T'
PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = NULL WHERE name = 'T'
PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'z', 'z', 0, LONG)
PRAGMA writable_schema = ON; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema
PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'CANARY', 'z', 3, '')
INSERT INTO run VALUES ('row', 99, 0, zeroblob(5000000), 0)
INSERT INTO run VALUES ('row', 9223372036854775807, 9223372036854775807, x'01', 0)
INSERT INTO run VALUES ('column', -5, -5, x'ff', 0)
INSERT INTO request VALUES (9, 'x', 0)
UPDATE T SET checksum = 0
