# Everything runs in a virtual environment that these targets make and keep up to date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: boost test test-fast lint bench clean

boost: $(VENV)/run
	$(BIN)/seedfolio boost domineering:7x7

test: $(VENV)/test lint
	$(BIN)/python -m pytest -n 2

test-fast: $(VENV)/test lint
	$(BIN)/python -m pytest -n 2 -m "not slow"

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/test
	$(BIN)/python -m benchmarks

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
