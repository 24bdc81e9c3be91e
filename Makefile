# make          set up, then check and score the example matches
# make test     the tests
# make check    everything else a change must pass: style, types, documentation, generated files, the wheel, and the tests that go through
#               all that is shipped
# make axe      what `make check` needs besides, to let axe look at the pages in Chromium: without it these tests are skipped, and say so
# make docs     the site, in docs/_build/html
# make bench    benchmarks (CPU time, as ratios)
# make deep     100,000 random turns of each rule set on the reference and the second engine, and what must hold of every game asked of
#               ten deals of each; a fuzz campaign through the protocol; whether the suite is as strong as it must be (more than an hour)
# make clean    remove everything that was made here
#
# Needs python3 (3.11 or newer) with pip, git and make; no ensurepip, for Debian's python3 comes without it.

PYTHON ?= python3
ENV := .venv
BIN := $(ENV)/bin
PIP := $(PYTHON) -m pip --python $(ENV) --disable-pip-version-check
READY := $(ENV)/.ready
READY_CHECK := $(ENV)/.ready-check
READY_BENCH := $(ENV)/.ready-bench
READY_AXE := $(ENV)/.ready-axe

.DEFAULT_GOAL := run

# The tests start hundreds of commands; without compiled files each would compile all of the program again.
unexport PYTHONDONTWRITEBYTECODE

MATCHES := grammar/examples/full-match.cgn grammar/examples/with-departures.cgn

# Two matches that other programs played: one turn by turn, then both judged, each departure by its clause, and scored. The second
# has departures by nature, so findings do not make this fail.
run: $(READY)
	$(BIN)/canasta replay --deal 1 $(firstword $(MATCHES))
	@echo
	@echo 'Now both are judged. A program that breaks rules played the second, which is here to show how each departure is told.'
	@echo
	$(BIN)/canasta check --summary --exit-zero $(MATCHES)
	$(BIN)/canasta score --exit-zero $(MATCHES)

test: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal

# What needs one processor goes two by two; what spreads over all of them follows.
check: $(READY_CHECK)
	$(MAKE) -j2 docs types wheel translations lint
	$(MAKE) generated
	$(MAKE) whole

lint: $(READY_CHECK)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(READY_CHECK)
	$(BIN)/mypy

docs: $(READY_CHECK)
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

# What `canasta generate` writes is committed, reviewed as a diff, and never edited by hand.
generated: $(READY_CHECK)
	$(BIN)/canasta generate --check

# The catalogues have an entry for every text of the rule files, and no translation says another figure than the English.
translations: $(READY_CHECK)
	$(BIN)/canasta translations --check

# Tests that go through all that is shipped, where `make test` tries some of it.
whole: $(READY_CHECK)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "whole and not deep" -rs

axe: $(READY_AXE)

wheel: $(READY_CHECK)
	CANASTA_WHEEL=1 $(BIN)/python -m pytest tools/tests/test_wheel.py

bench: $(READY_BENCH)
	$(BIN)/python -m canasta_tools.bench

TURNS ?= 100000
SEED ?= 1
DEALS ?= 10
EXAMPLES ?= 20000

deep: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m deep
	CANASTA_DEEP=$(DEALS) $(BIN)/python -m pytest -n 2 --dist worksteal reference/tests/test_every_game.py
	$(BIN)/python -m canasta_conformance.differential --turns $(TURNS) --seed $(SEED)
	rm -rf build/fuzz
	mkdir -p build
	$(BIN)/canasta conformance fuzz --engine second --examples $(EXAMPLES) --seed $(SEED) --output build/fuzz
	$(BIN)/python -m canasta_conformance.miniatures
	$(BIN)/canasta conformance power --require

clean:
	rm -rf $(ENV) dist build docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Each stamp is older than pyproject.toml only when the dependencies may have changed.
$(READY): pyproject.toml
	$(PYTHON) -m venv --without-pip $(ENV)
	$(PIP) install --quiet --editable '.[test]'
	touch $@

$(READY_CHECK): $(READY)
	$(PIP) install --quiet --editable '.[test,check]'
	touch $@

$(READY_BENCH): $(READY)
	$(PIP) install --quiet --editable '.[test,bench]'
	touch $@

# Of this package only the library axe-core is used, not the driver of browsers that it depends on.
$(READY_AXE): $(READY_CHECK)
	$(PIP) install --quiet --no-deps 'axe-playwright-python>=0.1.8'
	touch $@

.PHONY: axe run test check lint types docs translations generated whole wheel bench deep clean
