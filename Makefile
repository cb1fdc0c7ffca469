# Plain `cargo test` needs nothing but Rust; `make test` adds the open tools.

PYTHON ?= python3
CARGO ?= cargo
VENV := .venv
PINS := tests/tools/requirements.txt
# One profile for everything that `make test` builds: the simulations take far longer
# unoptimised than the compiler saves. `cargo test` keeps the debug assertions.
PROFILE ?= --release

# A missing tool is a failure and not a skipped test.
REQUIRED := TURNPIKE_REQUIRE_TOOLS=1

# Parts of `make test-all`, which take up to an hour each on 2 cores.
PARTS := cli crates netlists cover formal mutants drawn-mutants tools

.PHONY: help build tools system test sample test-all $(PARTS:%=test-all-%) mutation lint book reference clean

help: ## Print this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 30

build: ## Build the program, target/release/turnpike
	$(CARGO) build --release --locked

tools: system $(VENV)/.installed ## Install the pinned open tools into .venv

system:
	@tests/tools/system.sh

# The script's stamp is written last, so that a half-made environment is made again.
$(VENV)/.installed: $(PINS) tests/tools/environment.sh tests/tools/yosys.py | system
	tests/tools/environment.sh $(VENV) $(PYTHON)

test: tools ## Run every test with the tools (some 25 minutes on 2 cores, and building)
	$(REQUIRED) $(CARGO) test --workspace --locked --no-fail-fast $(PROFILE)

# A failure under another seed comes out again with `make test-all SEED=...`.
ifndef SEED
SEED := $(shell date +%s)
endif

sample: tools ## Draw another sample of the options together, SEED=n
	@echo "options and command lines are drawn by SEED=$(SEED)"
	$(REQUIRED) TURNPIKE_SAMPLE_SEED=$(SEED) TURNPIKE_FUZZ_SEED=$(SEED) \
	  $(CARGO) test --locked --no-fail-fast $(PROFILE) -p turnpike -p turnpike-tests --test all -- \
	  cover:: fuzz_lines:: fuzz_formats::

EVERY = @echo "random tests draw by SEED=$(SEED)"; \
  $(REQUIRED) TURNPIKE_EVERY=1 PROPTEST_RNG_SEED=$(SEED) TURNPIKE_FUZZ_SEED=$(SEED) \
  $(CARGO) test --locked --no-fail-fast $(PROFILE)
LONG := cover:: hostile_names:: readers:: formal:: proofs:: mutants::

test-all: $(PARTS:%=test-all-%) ## The same with all samples and long proofs, every mutant, random tests drawn anew

test-all-cli: tools ## Part of test-all: the program, 20,000 command lines, damaged files, loads at saturation
	$(EVERY) -p turnpike -- --include-ignored

test-all-crates: tools ## Part of test-all: every crate but those of the other parts
	$(EVERY) --workspace --exclude turnpike --exclude turnpike-tests --exclude turnpike-sim-rtl -- \
	  --include-ignored

test-all-netlists: tools ## Part of test-all: ten million random netlists
	$(EVERY) -p turnpike-sim-rtl -- --include-ignored

test-all-cover: tools ## Part of test-all: options together, names, files of other tools
	$(EVERY) -p turnpike-tests --test all -- --include-ignored cover:: hostile_names:: readers::

test-all-formal: tools ## Part of test-all: every proof
	$(EVERY) -p turnpike-tests --test all -- --include-ignored formal:: proofs::

test-all-mutants: tools ## Part of test-all: faults that somebody thought of
	$(EVERY) -p turnpike-tests --test all -- --include-ignored mutants:: --skip nearly_all_of

test-all-drawn-mutants: tools ## Part of test-all: faults drawn, 200 of each kind of fabric
	$(EVERY) -p turnpike-tests --test all -- --include-ignored nearly_all_of

test-all-tools: tools ## Part of test-all: the other tests of the open tools
	$(EVERY) -p turnpike-tests -- --include-ignored $(LONG:%=--skip %)

# Reads Rust with a library of its own; `SAMPLE="--count 50 --seed 2"` draws other mutants.
mutation: ## Mutation score of the Rust code; wants `cargo install --locked cargo-mutants`
	$(PYTHON) -m venv target/mutation/venv
	target/mutation/venv/bin/pip install --quiet --disable-pip-version-check --no-input \
	  --requirement tests/tools/mutation/requirements.txt
	target/mutation/venv/bin/python -B tests/tools/mutation/mutation.py $(SAMPLE)

lint: ## Check format and lints of the Rust sources
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

book: tools ## Make a book of docs/, target/book/index.html
	$(VENV)/bin/mkdocs build --strict

reference: ## Rewrite the Verilog kept in git: verilog-out, hdl-gen/emit/tests/golden
	TURNPIKE_BLESS=1 $(CARGO) test --locked --release -p turnpike-tests reference_fabrics::
	TURNPIKE_BLESS=1 $(CARGO) test --locked --release -p turnpike-emit modules::

clean: ## Remove what was built, the tools included
	$(CARGO) clean
	rm -rf $(VENV)
