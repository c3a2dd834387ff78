# Every target is a script in scripts/; this file only names them. `make help` lists them.
PREFIX ?= /usr/local
DESTDIR ?=
ONLY ?=
export PREFIX DESTDIR ONLY
.DEFAULT_GOAL := help
.PHONY: bench build clean deb demo deps docs format help install lint ship test torture uninstall wheel

deps: ## installs what building and testing need, where it is missing
	@bash scripts/deps.sh
demo: deps ## Swift, C, Python and the shell change the same settings, and see each other do it
	@bash scripts/demo.sh
build: deps ## a release build of the libraries and the command, in .build/
	@bash scripts/build.sh
ship: deps ## the self-contained libsatchel.so and the static command, checked, in build/ship/
	@bash scripts/ship.sh
wheel: deps ## the Python package with the library inside, in build/wheel/
	@bash scripts/wheel.sh
deb: deps ## the Debian package, in build/deb/
	@bash scripts/deb.sh
install: ## installs what `make ship` built; PREFIX=/usr/local DESTDIR=
	@bash scripts/install.sh
uninstall: ## removes what `make install` put there
	@bash scripts/install.sh --remove
test: deps ## everything that can fail; ONLY=name runs one step
	@bash scripts/test.sh test
torture: deps ## the long tests; ONLY=name runs one
	@bash scripts/test.sh torture
bench: deps ## measures against the peers, in one run; ONLY=name
	@bash scripts/bench.sh
docs: deps ## the reference pages, in build/docs/
	@bash scripts/docs.sh
lint: deps ## style and types
	@bash scripts/lint.sh
format: deps ## writes every file in the project's style
	@bash scripts/format.sh
clean: ## removes what was built; .deps/ stays
	@rm -rf .build build Examples/swift/.build Benchmarks/.build
help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-10s %s\n", $$1, $$2}' Makefile
