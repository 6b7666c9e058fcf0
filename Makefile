# Proofline's front door. `make` alone shows what there is. Each target sets up what it needs.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# `make demo ARGS="--out demo-out"`, `make bench ARGS=--benchmark_filter=msm`, `make test ARGS="-R math"`
ARGS ?=
FUZZ_SECONDS ?= 60

.PHONY: help
help: ## this list
	@echo "Proofline: Groth16 proofs for Filecoin sectors, bit-compatible with rust-fil-proofs"
	@echo
	@echo "Start here:"
	@echo "  make demo     a file, sealed, proved and verified on this machine's CPU (minutes, under 2 GiB)"
	@echo "  make test     everything built and tested"
	@echo
	@echo "All targets:"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1\t\2/' | \
	  while IFS=$$'\t' read -r name text; do printf '  %-16s%s\n' "make $$name" "$$text"; done
	@echo
	@echo "ARGS passes options on, for example:"
	@echo '  make demo ARGS="--out demo-out"              keep the demo'"'"'s files; a second run reuses its parameters'
	@echo '  make test ARGS="-R filecoin"                 only tests whose name matches'
	@echo '  make bench ARGS=--benchmark_filter=Msm       only some benchmarks'
	@echo
	@echo "The binary is build/release/src/cli/proofline; \`proofline --help\` goes on from there."

.PHONY: setup
setup: ## install packages and pinned sources (done by the other targets, too)
	@scripts/setup.sh

.PHONY: build
build: setup ## the proofline command, optimised: build/release/src/cli/proofline
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target proofline

.PHONY: build-gpu
build-gpu: setup ## the same with CUDA kernels, where CUDA's compiler is: build/cuda/src/cli/proofline
	@cmake -S . -B build/cuda -G Ninja -DCMAKE_BUILD_TYPE=Release -DPROOFLINE_CUDA=ON --log-level=WARNING
	@cmake --build build/cuda --target proofline

.PHONY: demo
demo: build ## file -> sealed sector -> C1 -> proof -> verified, with times and memory
	@build/release/src/cli/proofline demo $(ARGS)

.PHONY: demo-daemon
demo-daemon: build ## the daemon: started, a sector submitted as Curio does, its proof verified, stopped
	@scripts/demo_daemon.sh build/release/src/cli/proofline build/demo-daemon

.PHONY: package
package: build ## a Debian package with the command, its systemd unit and the daemon's documentation
	@cd build/release && cpack -G DEB

.PHONY: test
test: setup ## all tests but the long ones (dev preset: optimised, assertions on)
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev
	@ctest --preset dev $(ARGS)

.PHONY: test-long
test-long: setup ## the long tests: the circuits of 32 and 64 GiB sectors, setup and proofs end to end
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev
	@ctest --test-dir build/dev --output-on-failure -L long $(ARGS)

.PHONY: bench
bench: setup ## the benchmarks (Google Benchmark), release preset
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release
	@scripts/bench.sh build/release $(ARGS)

.PHONY: fuzz
fuzz: setup ## every libFuzzer target for FUZZ_SECONDS (60) each, from corpora made of tests/data
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz
	@scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS)

.PHONY: asan
asan: setup ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@cmake --preset asan --log-level=WARNING
	@cmake --build --preset asan
	@ctest --preset asan $(ARGS)

.PHONY: tsan
tsan: setup ## the engine's tests under ThreadSanitizer
	@cmake --preset tsan --log-level=WARNING
	@cmake --build --preset tsan --target engine_tests
	@setarch -R ctest --preset tsan -R '^engine_' -E '^engine_(engine_crash|engine_memory|memory_watch|plan|parameter_store|proof_task)_test' $(ARGS)

.PHONY: format
format: setup ## rewrite the sources with clang-format
	@scripts/lint.sh --fix

.PHONY: lint
lint: setup ## clang-format and clang-tidy checks, layering and portability of the tree
	@scripts/lint.sh
	@scripts/check_layers.py

.PHONY: docs
docs: ## the API's reference as HTML: build/docs/html/index.html (Doxygen)
	@scripts/setup.sh docs
	@scripts/docs.sh build/docs

.PHONY: clean
clean: ## remove build/
	@rm -rf build
