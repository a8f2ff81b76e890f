# make play   opens the table in the browser, make play LAN=1 for all in this network; needs Python 3.11 or newer
# make run    serves Discord with the token from .env
# make test   runs the tests; make near those near what you changed; make check runs every check that works here
# make coverage   runs the tests and lists the lines that none of them runs; it takes more than twice as long
# make faults shows what holds when something fails, with forty kills of a process that rolls, and fifteen stalls of PostgreSQL
# make soak   plays for ten minutes on three processes that are restarted in turn; make soak ARGS="--minutes 2"
# make pictures   takes the documentation's pictures of the table with Chromium
# make docs   builds the documentation into site/, with every link checked
# make release-check  takes each step of a release that can be tried here, and publishes nothing
# make lock   writes the locks anew; make format formats
#
# There are two locks, because pip with hashes installs a whole list or nothing: requirements-run.lock is what
# people run (all extras), requirements.lock is that and the tools. Their versions are the same.

VENV ?= .venv
PYTHON := $(VENV)/bin/python
INSTALL := $(PYTHON) -m pip install --disable-pip-version-check --quiet --no-compile --require-hashes
COMPILE = $(VENV)/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --all-extras $(UPGRADE)
# A worker for each core and one more, since they wait for disks and browsers; up to four, for each has a PostgreSQL
# server and a browser of its own. A file stays with one worker as long as there is enough for all, so that what it
# makes once is made once.
CORES = --numprocesses $(shell $(PYTHON) -c "import os; print(min((os.cpu_count() or 1) + 1, 4))") --dist worksteal
# A hundred processes are started here: what one has compiled is kept for the others.
unexport PYTHONDONTWRITEBYTECODE
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python

.PHONY: help play run setup test near coverage faults soak check lint types layers pictures docs release-check format lock
.DELETE_ON_ERROR:

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

play: $(VENV)/.run
	@$(PYTHON) -m bot play $(if $(LAN),--lan) $(ARGS)

run: $(VENV)/.run
	@$(PYTHON) -m bot run $(ARGS)

setup: $(VENV)/.all

test: $(VENV)/.all
	@$(PYTHON) -m pytest $(CORES) $(ARGS)

near: $(VENV)/.all
	@$(PYTHON) -m tools.near $(ARGS)

# Python 3.11 watches lines slowly: that would take too long for each check.
coverage: $(VENV)/.all
	@mkdir -p .cache && $(PYTHON) -m coverage erase
	@$(PYTHON) -m coverage run -m pytest $(CORES) $(ARGS)
	@$(PYTHON) -m coverage combine --quiet && $(PYTHON) -m coverage report

faults: $(VENV)/.all
	@KILLS=40 STALLS=15 $(PYTHON) -m pytest $(CORES) tests/faults tests/storage/test_crash.py $(ARGS)

soak: $(VENV)/.all
	@$(PYTHON) -m benchmarks.soak $(ARGS)

# What takes a moment comes first. The tests leave a core idle now and then, so types are checked beside them; they end
# last, so that what they found is the last thing said.
check: lint layers docs
	@$(MAKE) --no-print-directory --jobs=2 --keep-going types test

lint: $(VENV)/.all
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/.all
	$(PYTHON) -m pyright

layers: $(VENV)/.all
	$(VENV)/bin/lint-imports

pictures: $(VENV)/.all
	@$(PYTHON) -m tools.pictures $(ARGS)

docs: $(VENV)/.all
	@$(VENV)/bin/zensical build --strict

release-check: $(VENV)/.all
	@$(PYTHON) -m tools.release $(ARGS)

# Formatting comes first, for what is too long may only be unformatted; and once more for what was mended.
format: $(VENV)/.all
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

# Versions stay as they are where they can; `make lock UPGRADE=--upgrade` takes the newest.
lock: | $(PYTHON)
	$(PYTHON) -m pip install --disable-pip-version-check --quiet uv
	$(COMPILE) --group dev --output-file requirements.lock
	$(COMPILE) --constraints requirements.lock --output-file requirements-run.lock

$(VENV)/.run: requirements-run.lock | $(PYTHON)
	@echo "Setting up what the bot stands on (once, about half a minute) ..."
	@$(INSTALL) --requirement requirements-run.lock
	@touch $@

$(VENV)/.all: requirements.lock requirements-run.lock | $(PYTHON)
	@echo "Setting up with all tools (once, about a minute) ..."
	@$(INSTALL) --requirement requirements.lock
	@touch $(VENV)/.run $@

$(PYTHON):
	@for candidate in $(CANDIDATES); do \
		if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			exec $$candidate -m venv $(VENV); \
		fi; \
	done; \
	echo "Python 3.11 or newer is needed, and none was found." >&2; exit 1
