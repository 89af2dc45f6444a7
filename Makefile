# The first target that needs the environment creates it.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
WORKERS ?= 2
# size of the torture tests: damaged input files, damaged projects, kills, random users of the window
FILES ?= 20000
PROJECTS ?= 2500
KILLS ?= 500
USERS ?= 200
# random property tests: rounds of each test, total seconds, and the first seed, which reproduces a failure
ROUNDS ?= 100
SECONDS ?= 3600
# which tests: damaged inputs, kills and random users, and random property tests
TORTURE ?= torture or hypothesis
SEED ?= $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
torture: SEED := $(SEED)

# also if bytecode is disabled: the tests start many processes, each of which would compile every module
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test torture bench simulate lint screenshots reference words clean install libraries

demo: libraries
	@$(BIN)/qe-desktop demo

test: $(STAMP)
	@$(BIN)/python tools/qt_libraries.py xvfb xdotool postgresql fonts-dejavu-core || true
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n $(WORKERS)

torture: $(STAMP)
	@$(BIN)/python tools/qt_libraries.py xvfb xdotool postgresql fonts-dejavu-core || true
	QT_QPA_PLATFORM=offscreen QE_DESKTOP_TORTURE=$(FILES) QE_DESKTOP_TORTURE_PROJECTS=$(PROJECTS) \
	  QE_DESKTOP_TORTURE_KILLS=$(KILLS) QE_DESKTOP_TORTURE_USERS=$(USERS) \
	  QE_DESKTOP_ROUNDS=$(ROUNDS) QE_DESKTOP_ROUND_SECONDS=$(SECONDS) \
	  QE_DESKTOP_SEED=$(SEED) $(BIN)/python -m pytest -m "$(TORTURE)" -n $(WORKERS) -o faulthandler_timeout=0

BENCHMARKS = QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest --benchmark-only -p no:xdist -o faulthandler_timeout=0 \
  -o addopts="--strict-markers --strict-config -ra"

bench: $(STAMP)
	$(BENCHMARKS) -m "not simulation"

# false positives and coverage of statistical tests and intervals; takes about half an hour
simulate: $(STAMP)
	$(BENCHMARKS) -m simulation

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

screenshots: $(STAMP)
	@$(BIN)/python tools/qt_libraries.py xvfb fonts-noto-core fonts-noto-cjk
	for theme in light dark; do for size in 1280x800 1920x1080; do \
	  xvfb-run -a -s "-screen 0 1920x1080x24" $(BIN)/python tools/screenshots.py build/screenshots \
	    --theme $$theme --size $$size $${QE_DESKTOP_DATA:+--data $$QE_DESKTOP_DATA} || exit 1; \
	done; done

# pages of docs/reference that are generated from the program: commands, keys, terms
reference: $(STAMP)
	$(BIN)/python tools/reference_pages.py

# template for translators: all texts of the program, for Qt Linguist
words: $(STAMP)
	@mkdir -p build
	$(BIN)/pyside6-lupdate $$(git ls-files 'qe_desktop/*.py') -ts build/qe_desktop.ts

install: $(STAMP)

libraries: $(STAMP)
	@$(BIN)/python tools/qt_libraries.py

$(STAMP): pyproject.toml $(BIN)/python
	@tools/quietly "Installing QE Desktop and its Python packages into .venv" \
	  $(BIN)/python -m pip install --disable-pip-version-check -e ".[dev]"
	@touch $@

$(BIN)/python:
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || { rm -rf .venv; \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    tools/quietly "Installing the system package python3-venv" sh -c \
	      'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y python3-venv' && $(PYTHON) -m venv .venv; \
	  else \
	    echo "Python cannot make a virtual environment here. Run: sudo apt-get install python3-venv" >&2; false; \
	  fi; }

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
