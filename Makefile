# Two commands do everything on a fresh machine: `make demo` and `make test`. Both need only python3 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PYTHONUTF8 = 1

.PHONY: help demo test lint unit slow chromium bench clean

help:
	@echo "make demo    make .venv, install, run the main job on real input"
	@echo "make test    make .venv with the test extra, install Chromium when it may, check everything"
	@echo "make bench   print the tables of docs/benchmarks.md"

$(BIN)/caveman: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	$(BIN)/python -m compileall -q engine cavemem browser app  # pip does this only for copied packages
	touch $@

$(VENV)/.test: pyproject.toml $(BIN)/caveman
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	touch $@

demo: $(BIN)/caveman
	@$(BIN)/caveman demo

# Fast checks first; then processes, real browsers and the built wheel.
test: $(VENV)/.test chromium lint unit slow

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.test
	$(BIN)/python -m pytest -q -n 2 -m "not slow"

slow: $(VENV)/.test
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m slow

# Chromium through apt, when it is missing and we may; every test that needs it says so when it is not there.
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || test -n "$$CAVEMAN_BROWSE_CHROME" \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	     && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
	|| echo "no Chromium, and no right to install it: the browser tests will say so"

bench: $(BIN)/caveman
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	for program in corpus samples recall_speed compress_speed recovery locomo browse; do \
	  echo "## $$program"; $(BIN)/python benchmarks/$$program.py || true; done

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
