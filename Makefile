# Everything runs in a virtual environment that these targets make and keep up to date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: boost test test-fast test-gpu lint bench bench-gpu clean

boost: $(VENV)/run
	$(BIN)/seedfolio boost domineering:7x7

test: $(VENV)/test lint
	$(BIN)/python -m pytest -n 2

test-fast: $(VENV)/test lint
	$(BIN)/python -m pytest -n 2 -m "not slow"

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

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[plot]'
	touch $@

$(VENV)/test: $(VENV)/run
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group test
	touch $@
