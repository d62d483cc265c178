# Everything runs in .venv, which the first target that needs it creates. Only python3 (3.11 or newer)
# with its venv module is expected on the machine.

PYTHON ?= python3
WORKERS ?= 2

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALLED := .venv/.installed
BENCH_INSTALLED := .venv/.installed-bench
TRAIN_INSTALLED := .venv/.installed-train
SERVE_INSTALLED := .venv/.installed-serve
COMMA := ,
# After an upgrade of the system's Python that of .venv is gone, and with it what the stamps promise.
$(shell test -x $(BIN)/python || rm -f .venv/.installed*)
AGENT ?= runs/quick/best
# Tests that share a cluster, a wheel or another costly thing run in one worker.
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadgroup

.DEFAULT_GOAL := help
.PHONY: help install lint format test test-fast test-plain test-boundscheck test-unpatched test-slow test-scale docs docs-serve interop bench bench-serve train pretrained play play-terminal clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(INSTALLED) ## create .venv and install the project for development

# What is missing is said before anything is made.
$(BIN)/python:
	@command -v $(PYTHON) > /dev/null || { echo '$(PYTHON) was not found. Install Python 3.11 or newer, or name the one to use: make PYTHON=python3.12 ...' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("uno_env needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + ". Choose another one: make PYTHON=python3.12 ...")'
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { echo 'Python has no venv module; on Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
	$(PYTHON) -m venv --clear .venv

# pip is part of the stamp's work, so a failed install is tried again. It is not quiet where newcomers wait for it.
define pip_install
	@$(PIP) --version > /dev/null 2>&1 || { echo '.venv is incomplete, as after an interrupted installation: run make clean, then make again' >&2; exit 1; }
	@echo "pip install $(1)"
	@$(PIP) install --constraint constraints.txt $(1) || { echo 'The installation failed. Without a network, connect once or name a local package index (PIP_INDEX_URL=...), then run make again; see docs/troubleshooting.md.' >&2; exit 1; }
	touch $@
endef

$(INSTALLED): pyproject.toml constraints.txt | $(BIN)/python
	$(call pip_install,--quiet --editable '.[test]')

$(BENCH_INSTALLED): $(INSTALLED)
	$(call pip_install,--quiet --editable '.[test$(COMMA)bench]')

$(TRAIN_INSTALLED): pyproject.toml constraints.txt | $(BIN)/python
	$(call pip_install,--editable '.[train$(COMMA)serve$(COMMA)render]')

$(SERVE_INSTALLED): pyproject.toml constraints.txt | $(BIN)/python
	$(call pip_install,--editable '.[serve]')

lint: $(INSTALLED) ## style, types, the import direction and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

format: $(INSTALLED) ## rewrite the code in house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What fails soonest comes first; the last two compile the engine anew.
test: lint ## lint and the fast tests, then the engine compiled in other ways; COVERAGE=1 as below
	$(MAKE) test-plain
	$(MAKE) test-fast
	$(MAKE) test-boundscheck
	$(MAKE) test-unpatched

test-fast: $(INSTALLED) ## the fast tests; COVERAGE=1 prints how much of the Python code they reach
	$(PYTEST) -m 'not slow' $(if $(COVERAGE),--cov --cov-report=)
	$(if $(COVERAGE),@echo "coverage of the Python code: $$($(BIN)/coverage report --format=total) %")

test-plain: $(INSTALLED) ## the rule tests with the engine as plain Python
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/rules

BOUNDSCHECK_TESTS := $(addprefix tests/,engine/test_golden.py engine/test_snapshot.py \
	engine/test_snapshot_fuzz.py engine/test_bad_input.py agents/test_bad_positions.py)

test-boundscheck: $(INSTALLED) ## golden games and hostile positions with every array index checked
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m 'not slow' $(BOUNDSCHECK_TESTS)

UNPATCHED_TESTS := $(addprefix tests/engine/test_,golden.py plain_python.py properties.py snapshot.py)

test-unpatched: $(INSTALLED) ## the engine compiled by Numba's default pipeline
	UNO_ENV_CUSTOM_PIPELINE=0 $(PYTEST) -m 'not slow' $(UNPATCHED_TESTS)

test-slow: $(INSTALLED) ## the slow tests
	$(PYTEST) -m slow --durations=20

test-scale: $(INSTALLED) ## tournaments and training on a cluster of several nodes on this machine
	$(BIN)/pytest tests/scale

# Strict: a warning, a broken link or anchor fails. tests/docs builds the site too, so `make test` does.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs

docs: $(INSTALLED) ## build the documentation site into site/, without network
	$(MKDOCS) build --strict

docs-serve: $(INSTALLED) ## the documentation site at http://127.0.0.1:8001/, rebuilt on change
	$(MKDOCS) serve --dev-addr 127.0.0.1:8001

# Libraries whose pins exclude each other, so each has an environment of its own.
INTEROP ?= sb3 openspiel supersuit torchrl tianshou rllib agilerl

interop: $(INTEROP:%=.interop/%/.installed) ## train with other libraries, each in its own environment
	for library in $(INTEROP); do \
	  .interop/$$library/bin/python -m pytest tests/interop/test_$$library.py tests/interop/test_examples.py || exit 1; \
	done

.interop/%/.installed: tests/interop/requirements-%.txt
	test -x .interop/$*/bin/python || $(PYTHON) -m venv .interop/$*
	.interop/$*/bin/python -m pip install --quiet --requirement $< --editable .
	touch $@

bench-serve: $(INSTALLED) ## speed of the server, with and without batching
	$(BIN)/python -m benchmarks.serve --plain --tables 200

bench: $(BENCH_INSTALLED) ## speed beside RLCard and other neighbours, into docs/
	$(BIN)/python -m benchmarks.environments
	$(BIN)/python -m benchmarks.engine

train: $(TRAIN_INSTALLED) ## train a small agent in about three minutes and show how it fares
	$(BIN)/python -m uno_train quick

pretrained: $(TRAIN_INSTALLED) ## train, measure and pack all shipped agents (long)
	$(BIN)/python -m uno_train.pretrained all

play: $(SERVE_INSTALLED) ## open the page and play against the bots, and against AGENT if it exists
	$(BIN)/python -m uno_serve --open $(if $(wildcard $(AGENT)),--bots yours=$(AGENT))

play-terminal: $(TRAIN_INSTALLED) ## play in the terminal against AGENT (runs/quick/best)
	@test -e $(AGENT) || test $(AGENT) != runs/quick/best || { echo 'There is no trained agent yet: run make train, or name another: make play-terminal AGENT=heuristic' >&2; exit 1; }
	$(BIN)/python -m uno_agents.play $(AGENT) --variant classic

clean: ## remove .venv and everything the tools left
	rm -rf .venv build dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
