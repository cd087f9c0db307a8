# make demo    the main job on the bundled samples
# make test    everything that must hold: lint, types, imports, tests; the same examples every time
# make bench   how fast kernels are, beside their peers (installs those that are on the package index), how well
#              templates of schedules are ranked without data, and how fast kernels are in each format beside CSR
# make gpu     kernels on a GPU: random programs, compute-sanitizer, the benchmark (ten minutes; says so where there is none)
# make proofs  prove everything, and write it into docs/spec
# make docs    the site of the documentation, in build/docs, and as one page for print in build/docs/print (installs Sphinx)
# make deep    every case of every test, the property tests with a hundred times as many examples, new ones every time;
#              kernels compiled as they ship
# make graphs  every graph algorithm on graphs of every kind, up to 2^18 vertices, against others (five minutes)
# make sparseauto  the branched schedules of eight kernels, and SparseAuto's tables beside them (half a minute)
# make mutants which wrong gnomons the tests would let through (about half an hour)

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: docs demo test lint types imports check-tests bench gpu proofs deep sparseauto graphs mutants clean

demo: $(READY)
	$(BIN)/gnomon demo

test: $(READY)
	$(MAKE) --jobs 2 lint imports types check-tests

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	MYPYPATH=.venv/src $(BIN)/mypy -p gnomon.reference -p gnomon.generator -p gnomon.properties -m gnomon.api -m gnomon.cli

imports: $(READY)
	$(BIN)/lint-imports --no-cache

check-tests: $(READY)
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -c tests/pytest.ini -n 2 --dist worksteal tests

bench: $(READY)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	$(BIN)/python -m gnomon.properties.benchmark --tuned
	$(BIN)/python -m gnomon.properties.benchmark.templates
	$(BIN)/python -m gnomon.properties.benchmark.formats

gpu: $(READY)
	$(BIN)/python -m gnomon.properties.gpu

proofs: $(READY)
	$(BIN)/python -m gnomon.properties.proofs.pages docs/spec

deep: $(READY)
	$(BIN)/python -m pytest -c tests/pytest.ini -n 2 --dist worksteal --hypothesis-profile=deep tests

docs: $(READY)
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	$(BIN)/python -m sphinx -W --keep-going -q -b singlehtml docs build/docs/print

sparseauto: $(READY)
	$(BIN)/python -m gnomon.properties.sparseauto

graphs: $(READY)
	$(BIN)/python -m gnomon.properties.algorithms

mutants: $(READY)
	$(BIN)/python tests/mutants/run.py --workers 2

$(READY): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	mkdir -p .venv/src && ln -sfn ../.. .venv/src/gnomon
	touch $@

clean:
	rm -rf .venv build *.egg-info
