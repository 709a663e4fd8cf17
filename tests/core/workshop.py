"""A folder with files to edit, and new processes that keep compiled code there."""

import json

from waiting import ran

COUNTS = """
import json
value = function(1)
hits, misses = (sum(c.values()) for c in (function.stats.cache_hits, function.stats.cache_misses))
print(json.dumps([int(value), hits, misses]))
"""
"""Calls a compiled `function`; prints its value, and how often its code was found or compiled."""


class Workshop:
    def __init__(self, folder):
        self.folder, self.cache, self.runs = folder, folder / "cache", 0

    def write(self, **files):
        for name, text in files.items():
            path = self.folder / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def edit(self, name, old, new):
        text = (self.folder / f"{name}.py").read_text()
        assert text.count(old) == 1
        self.write(**{name: text.replace(old, new)})

    def run(self, code, **environ):
        self.runs += 1
        own = {"NUMBA_CACHE_DIR": str(self.cache), "PYTHONHASHSEED": str(self.runs)}
        # Two edits within a second leave the same time on the file, and so stale bytecode.
        own |= {"PYTHONDONTWRITEBYTECODE": "1", **environ}
        self.write(program=code)
        done = ran("program.py", environ=own, cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout), done.stderr

    def kept(self):
        return sorted(self.cache.glob("**/*.nbc"))
