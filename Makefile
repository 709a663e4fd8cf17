# Everything runs in a virtual environment that these targets make and keep up to date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Where this is set, every start of Python would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: boost engines suites test test-fast test-long test-gpu fuzz faults lint bench bench-gpu bench-ray \
	site dist clean

boost: $(VENV)/run
	$(BIN)/seedfolio boost domineering:7x7

test: $(VENV)/test engines suites lint
	$(BIN)/python -m pytest -n 2

test-fast: $(VENV)/test engines suites lint
	$(BIN)/python -m pytest -n 2 -m "not slow and not long"

# At full size: README's table, the comparison of all learners, 10,000 games against OpenSpiel.
test-long: $(VENV)/test suites
	$(BIN)/python -m pytest -n 2 -m long

# Real engines and a browser for the tests: Debian packages, which only root can install.
ENGINES := gnugo stockfish fairy-stockfish chromium
engines:
	@missing=; for engine in $(ENGINES); do \
		PATH="$$PATH:/usr/games" command -v $$engine >/dev/null || missing="$$missing $$engine"; \
	done; \
	test -z "$$missing" && exit; \
	root=; test "$$(id -u)" = 0 || root="sudo -n"; \
	if $$root apt-get update -qq && $$root apt-get install -y -qq --no-install-recommends $$missing; \
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

# On a machine with a CUDA device; elsewhere every test is skipped.
test-gpu: $(VENV)/test
	$(BIN)/python -m pytest tests/gpu

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/test
	$(BIN)/python -m benchmarks

bench-gpu: $(VENV)/test
	$(BIN)/python -m benchmarks.gpu

bench-ray: $(VENV)/test
	$(BIN)/python -m benchmarks.ray

# The documentation as a site, in build/site. `make site` fails on a broken link.
site: $(VENV)/test
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# The wheel, in dist.
dist: $(VENV)/test
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# Python compiles a module when it is first imported: a third of the installation's time saved.
$(VENV)/run: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile -e '.[plot,web]'
	touch $@

$(VENV)/test: $(VENV)/run
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --no-compile --group test
	touch $@
