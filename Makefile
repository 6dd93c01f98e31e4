# make run and make test need Go alone. conformance, corpus, e2e and browser fetch Node and
# what runs on it through npm.

GO          ?= go
FUZZTIME    ?= 60s
GOVULNCHECK ?= v1.6.0
ARGS        ?=

# Packages whose slow tests run only with -long, and those tests.
LONG := $(shell grep -rl 'flag.Bool."long"' --include='*_test.go' internal cmd 2>/dev/null | xargs -r -n1 dirname | sort -u | sed 's|^|./|')

# Packages whose tests take a part of their data with -short.
SHORTENED := $(shell grep -rl 'testing.Short()' --include='*_test.go' internal cmd test 2>/dev/null | xargs -r -n1 dirname | sort -u | sed 's|^|./|')

LONG_TESTS := F[0-9][0-9]|IdleStopHitsNoCall|CallsDuringReloads|ManyProcesses|KilledWhileSaving|TerminateInTime

# Packages that are tested at once. Tests wait about as much as they compute, so there are
# more than processors on a small machine.
AT_ONCE := $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 4); echo $$(( n > 4 ? n : 4 )))

SYSTEMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# One of each that is not vetted by lint: their files differ by system, not by processor.
VETTED := darwin/arm64 windows/amd64

.PHONY: bench-search help build man run test check format lint cross long conformance corpus e2e browser bench fuzz lua clean vuln sbom dist

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/toolcrib
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/toolcrib ./cmd/toolcrib

man: build ## write the manual pages into bin/man
	./bin/toolcrib man --dir bin/man

run: build ## build and start the demo gateway
	./bin/toolcrib demo $(ARGS)

test: ## vet and test everything that needs Go alone
	$(GO) vet ./...
	$(GO) test -race -short -p $(AT_ONCE) ./...

check: format lint cross long ## formatting, linters, all systems, slow tests

format: ## fail if a file is not formatted
	@unformatted=$$($(GO) tool gofumpt -l *.go cmd internal test); \
	if [ -n "$$unformatted" ]; then echo "run '$(GO) tool gofumpt -w' on:"; echo "$$unformatted"; exit 1; fi

lint: ## vet and staticcheck
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

cross: ## compile for every system, and tests for one of each kind
	@for system in $(SYSTEMS); do \
		echo "build for $$system"; \
		GOOS=$${system%/*} GOARCH=$${system#*/} CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/toolcrib || exit 1; \
	done
	@for system in $(VETTED); do \
		echo "vet for $$system"; \
		GOOS=$${system%/*} GOARCH=$${system#*/} CGO_ENABLED=0 $(GO) vet ./... || exit 1; \
	done

long: ## the tests that take minutes, and those of real data with all of it
	$(GO) test $(SHORTENED)
	@for package in $(LONG); do \
		$(GO) test -race -timeout 20m -run '$(LONG_TESTS)' $$package -long || exit 1; \
	done

conformance: ## the protocol's own conformance suite, in both eras
	test/conformance/run.sh $(ARGS)

corpus: ## discover many real servers and compare with what they are known to offer
	test/corpus/run.sh $(ARGS)

e2e: ## real servers and real clients
	test/e2e/run.sh $(ARGS)

browser: ## the page, in a real browser
	test/browser/run.sh $(ARGS)

bench: ## what calls, snapshots and a warm start cost
	$(GO) run ./test/bench $(ARGS)

bench-search: ## the search beside Bleve, on the tools and queries in the folder SET
	@test -n "$(SET)" || { echo "name a folder with tools.jsonl and queries.jsonl: make bench-search SET=DIR"; exit 2; }
	cd bench && $(GO) run . -set $(abspath $(SET)) $(ARGS)

vuln: ## known vulnerabilities in what is called, by the Go vulnerability database; VULNDB names a copy of it
	$(GO) run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK) $(if $(VULNDB),-db $(VULNDB)) ./...

sbom: build ## what the binary is made of, as CycloneDX, in bin/toolcrib.cdx.json
	$(GO) run ./test/sbom bin/toolcrib > bin/toolcrib.cdx.json

dist: ## a release in dist/, for every system; KEY names the SSH key that signs it
	test/release/build.sh dist "$(SYSTEMS)" $(KEY)

fuzz: ## run every fuzz target for FUZZTIME
	@grep -rE '^func Fuzz[A-Za-z0-9_]*\(' --include='*_test.go' internal cmd \
		| sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z0-9_]*)\(.*|\1 \2|' | sort \
		| while read -r dir name; do \
			echo "fuzz $$dir $$name"; \
			$(GO) test ./$$dir -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) || exit 1; \
		done

lua: ## build Lua for scripts anew, with clang and wasi-libc of Debian 12
	internal/script/lua/build.sh

clean: ## remove what was built
	rm -rf bin dist
