import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { isWhole } from "./internal/case-table/src/whole.ts";

// Loading a library, or three versions of a framework, for each file takes longer than the tests. A worker is slower with all
// that these have loaded, so each is a project of its own.
const LARGE = [
  ...["ai-sdk", "core", "explain", "langchain", "mcp"].map((name) => `packages/${name}`),
  "apps/site/src/playground",
  "docs",
];
// Starting workers for each of these takes longer than what they load.
const SMALL = [
  ...[
    "config",
    "conformance",
    "guardrails",
    "lint",
    "mastra",
    "openai-agents",
    "session",
    "stores",
  ].map((name) => `packages/${name}`),
  "apps/agent",
];
// Their tests start a program as a process, which is built for them once.
const BUILDS: Readonly<Record<string, string>> = {
  "apps/agent": "apps/agent/src/testing/build-command.ts",
  "packages/config": "packages/config/src/testing/build-cli.ts",
  "packages/mcp": "packages/mcp/src/testing/build-proxy.ts",
  "packages/stores": "packages/stores/src/testing/build-process.ts",
};
// Node from 22.18 on runs the sources as they are, which takes less time than Vite.
const RUNS_SOURCES = process.features.typescript === "strip";
// Pages of Vue need Vite, which transforms each file.
const TRANSFORMED = new Set(["playground"]);
// These mock modules or load them anew, which would reach the files that run after them; or they count all timers, and
// gates of the files before them still compile schemas.
const ALONE = [
  "apps/site/src/playground/peers/failing-peer.test.ts",
  "packages/config/src/load/policy-faults.test.ts",
  "packages/config/src/option-row.test.ts",
  "packages/core/src/contract/option-row.test.ts",
  "packages/core/src/secretlint.test.ts",
  "packages/guardrails/src/two-copies.test.ts",
  "packages/mcp/src/cli/option-row.test.ts",
  "packages/mcp/src/gate/limited-call.test.ts",
  "packages/mcp/src/http/body-budget.test.ts",
  "packages/session/src/accounting/exit-code.test.ts",
  "packages/session/src/accounting/price.test.ts",
  "packages/session/src/tools/time-limit.test.ts",
];
// These open the built site in a browser, which takes a quarter of the time of all tests.
const SITE = "apps/site/src/**/*.site.test.ts";
// Every page is there, loads, answers and runs nothing foreign. CI runs the others in a job of their own.
const SITE_EVERY_DAY = [
  "docs/built-pages",
  "docs/frame-page",
  "docs/policy",
  "home/home",
  "playground/view/examples",
  "playground/view/hostile-code",
  "playground/view/loading",
].map((name) => `apps/site/src/${name}.site.test.ts`);

export default defineConfig({
  test: {
    exclude: ["**/node_modules/**", "**/dist/**"],
    // Each worker loads the libraries again: a third one on two cores costs a seventh more, and ends no sooner.
    maxWorkers: availableParallelism(),
    // These end what hangs; none asserts elapsed time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
    // The closing line counts tests by their location in the source.
    includeTaskLocation: true,
    // For the processes that tests start: compiling takes most of their start.
    env: { NODE_COMPILE_CACHE: resolve(".artifacts/compiled") },
    experimental: { viteModuleRunner: !RUNS_SOURCES },
    setupFiles: ["internal/case-table/src/properties.setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "isolated",
          experimental: { viteModuleRunner: true },
          include: ALONE,
        },
      },
      {
        extends: true,
        test: {
          name: "house",
          include: ["{internal,apps/demo,bench,scripts}/**/*.test.ts"],
          exclude: ALONE,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "site",
          experimental: { viteModuleRunner: true },
          include: isWhole ? [SITE] : SITE_EVERY_DAY,
          globalSetup: "apps/site/src/testing/global-setup.ts",
          isolate: false,
          // Each worker starts a browser of its own. Projects with another number of workers run one group after the other.
          ...(!isWhole && { maxWorkers: 1, sequence: { groupOrder: 1 } }),
        },
      },
      {
        extends: true,
        test: {
          name: "small",
          globalSetup: SMALL.flatMap((folder) => BUILDS[folder] ?? []),
          include: SMALL.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ALONE,
          isolate: false,
        },
      },
      ...LARGE.map((folder) => ({
        extends: true as const,
        test: {
          name: basename(folder),
          experimental: { viteModuleRunner: !RUNS_SOURCES || TRANSFORMED.has(basename(folder)) },
          globalSetup: BUILDS[folder] ?? [],
          include: [`${folder}/**/*.test.ts`],
          exclude: [...ALONE, SITE],
          isolate: false,
        },
      })),
    ],
  },
});
