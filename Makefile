# The front door. `make` lists the targets; the build itself is CMake's (CMakePresets.json).

JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local

faultline := build/bin/faultline

# What `make demo` shows: one hunt, so that one report tells what matters most in all of them, and fits on a few screens.
demo_examples := one_minus_cos.c loop8192.c summation.c averages.c foo_single.c quadratic.cpp heron.f90
demo_hunt     := $(faultline) hunt $(demo_examples:%=examples/%) --limit 6

.PHONY: help deps test-deps configure build demo test test-all sanitize bench exhaustive install deb dist format clean
.DEFAULT_GOAL := help

help: ## list the targets
	@echo 'Faultline finds the inputs on which numerical code breaks. Start with: make demo'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## install the Debian packages it is built with
	@scripts/install-deps build

test-deps:
	@scripts/install-deps test

configure: deps
	@[ -e build/build.ninja ] || cmake --preset release -DFAULTLINE_TESTS=OFF

build: configure ## build it: build/bin/faultline, and the evaluation suites beside it
	@cmake --build --preset release --parallel $(JOBS) --target faultline

demo: configure ## build it, hunt through examples/, print the problems
	@cmake --build --preset release --parallel $(JOBS) --target faultline
	@printf '\n$$ %s\n' "$(demo_hunt)"
	@$(demo_hunt); status=$$?; [ $$status -le 1 ] || exit $$status # 0: no problem that counts; 1: problems

# What `test` and `test-all` have in common. Warnings are errors here, and not in a user's build.
define build_tests
@[ -e build/build.ninja ] && grep -qs '^FAULTLINE_TESTS:BOOL=ON' build/CMakeCache.txt && grep -qs '^FAULTLINE_WERROR:BOOL=ON' build/CMakeCache.txt || \
  cmake --preset release -DFAULTLINE_TESTS=ON -DFAULTLINE_WERROR=ON
@cmake --build --preset release --parallel $(JOBS)
@scripts/fetch-subjects gsl meschach || echo 'make test: no real libraries, so their tests are skipped' >&2
endef

test: test-deps ## build it, run the tests; real libraries are fetched for some of them
	$(build_tests)
	@ctest --preset release --parallel $(JOBS) --label-exclude '^long$$'

test-all: test-deps ## the same, and the long tests: kill series, Slurm, further seeds, all hints
	$(build_tests)
	@ctest --preset release --parallel $(JOBS)

sanitize: test-deps ## run the unit tests under the address and undefined-behaviour sanitizers
	@cmake --preset sanitize
	@cmake --build --preset sanitize --parallel $(JOBS) --target unit_tests
	@ctest --preset sanitize --parallel $(JOBS)

bench: test-deps ## build and run the benchmarks: native against taped run time
	@cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS)
	@for benchmark in build/bin/bench*; do "$$benchmark" || exit; done

exhaustive: test-deps ## how near a hunt comes to the worst of all 2^32 floats: some minutes
	@cmake --preset bench
	@cmake --build --preset bench --parallel $(JOBS) --target faultline exhaustive exhaustive_ranges
	@build/bin/exhaustive $(faultline)
	@build/bin/exhaustive_ranges $(faultline)

install: build ## install under PREFIX (/usr/local), staged in DESTDIR
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

deb: ## build a Debian package: build/package/faultline_VERSION_ARCH.deb
	@scripts/install-deps build plots package
	@cmake --preset package
	@cmake --build --preset package --parallel $(JOBS)
	@cd build/package && cpack && dpkg-deb --info faultline_*.deb

dist: ## the release: source archive of the last commit and its checksum, in build/dist
	@scripts/make-dist build/dist

format: ## clang-format our C and C++; puzzles name their lines, and stay as they are
	@git ls-files -z -- 'src/*.cpp' 'src/*.h' 'tests/unit/*.cpp' 'tests/unit/*.h' 'tests/golden/*.cpp' 'tests/golden/*.h' 'tests/fuzz/*.cpp' 'tests/fuzz/*.h' \
	  'bench/*.c' 'bench/*.cpp' 'bench/*.h' 'examples/stable/*.c' 'examples/stable/*.cpp' 'benchmarks/*.cpp' 'benchmarks/*.h' | xargs -0 -r clang-format -i

clean: ## remove build/, fetched subjects too
	@rm -rf build
