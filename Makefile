# Everything runs in a virtual environment that these targets make and keep up to date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Where this is set, every start of Python would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

PIP := $(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt
# Each of two workers begins with one half of the tests, so that those of a file share what they make.
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal

.PHONY: boost test test-all test-long test-gpu pytest pytest-all engines suites fuzz faults mutants \
	lint bench bench-gpu bench-ray site dist constraints clean

boost: $(VENV)/run
	$(BIN)/seedfolio boost domineering:7x7
	@$(BIN)/python -m seedfolio.web.ahead studies  # so that its games begin at once

# What a person runs before a patch. `make test-all` is everything but full sizes, for CI.
test: $(VENV)/test engines suites
	@$(MAKE) --no-print-directory --jobs 2 pytest lint

test-all: $(VENV)/docs engines suites
	@$(MAKE) --no-print-directory --jobs 2 pytest-all lint

pytest: $(VENV)/test
	$(PYTEST) -m "not slow and not long"

pytest-all: $(VENV)/docs
	$(PYTEST) -m "not long"

# At full size: README's table, the comparison of all learners, 10,000 games against OpenSpiel.
test-long: $(VENV)/docs suites
	$(PYTEST) -m long

# Real engines and a browser for the tests: Debian packages, which only root can install. An update
# fails at once where another apt is at work, so it is tried again.
ENGINES := gnugo stockfish fairy-stockfish chromium
engines:
	@missing=; for engine in $(ENGINES); do \
		PATH="$$PATH:/usr/games" command -v $$engine >/dev/null || missing="$$missing $$engine"; \
	done; \
	test -z "$$missing" && exit; \
	root=; test "$$(id -u)" = 0 || root="sudo -n"; \
	for attempt in $$(seq 60); do \
		said=$$($$root apt-get update -qq 2>&1) && break; \
		case "$$said" in *"get lock"*) sleep 5;; *) echo "$$said"; break;; esac; \
	done; \
	if $$root apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 $$missing; \
	then exit; fi; \
	echo "cannot install$$missing: run apt-get install$$missing as root. Tests that need them are" \
		"skipped, and with CI=true this fails."; \
	test "$$CI" != true

# The perft suites of python-chess, which are in its source only; tests read them there.
suites: $(VENV)/test
	@ls $(VENV)/python-chess/chess-*.tar.gz >/dev/null 2>&1 || \
		$(BIN)/python -m pip download --quiet --no-deps --no-binary chess \
			--dest $(VENV)/python-chess chess || \
		{ echo "cannot download the source of python-chess: tests of its perft suites are skipped," \
			"and with CI=true this fails."; test "$$CI" != true; }

# Changed files, odd words and a stranger's files, up to two hours of them; what goes wrong is kept in tests/fuzz/found.
fuzz: $(VENV)/test
	$(BIN)/python tests/fuzz --minutes 90 --inputs 1200000
	$(BIN)/python -m pytest -m long tests/web/test_fuzz.py  # 100,000 requests to the page

# Commands killed, or with a full disk, at each of their writes.
faults: $(VENV)/test
	$(BIN)/python tests/faults --kills 1000

# Small errors in copies of the tree, one at a time: which ones do tests find?
mutants: $(VENV)/docs
	$(BIN)/python tests/mutants --all

# On a machine with a CUDA device; elsewhere every test is skipped.
test-gpu: $(VENV)/test
	$(BIN)/python -m pytest tests/gpu

# It runs beside the tests, which take longer, so they go first.
lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	nice -n 19 $(BIN)/mypy

bench: $(VENV)/test
	$(BIN)/python -m benchmarks

bench-gpu: $(VENV)/test
	$(BIN)/python -m benchmarks.gpu

bench-ray: $(VENV)/test
	$(BIN)/python -m benchmarks.ray

# The documentation as a site, in build/site. `make site` fails on a broken link.
site: $(VENV)/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# The wheel, in dist.
dist: $(VENV)/docs
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Python compiles a module when it is first imported: a third of the installation's time saved.
$(VENV)/run: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) -e '.[plot,web]'
	touch $@

$(VENV)/test: $(VENV)/run
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(PIP) --group test
	touch $@

$(VENV)/docs: $(VENV)/test
	$(PIP) --group docs
	touch $@

# The versions installed now, for everyone.
constraints: $(VENV)/docs
	{ head -2 constraints.txt; $(BIN)/python -m pip freeze --exclude-editable | grep ==; } > build/constraints
	mv build/constraints constraints.txt
