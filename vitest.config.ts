import { defineConfig } from "vitest/config";

const ADAPTERS = "packages/{ai-sdk,langchain}/src/**/*.test.ts";

export default defineConfig({
  test: {
    exclude: ["**/node_modules/**", "**/dist/**"],
    // By default one core stays free, which on two cores means one test file at a time.
    maxWorkers: "100%",
    // Ends a test that hangs; none asserts elapsed time.
    testTimeout: 120_000,
    // The closing line counts tests by their location in the source.
    includeTaskLocation: true,
    projects: [
      {
        extends: true,
        test: {
          name: "isolated",
          include: [
            "packages/*/src/**/*.test.ts",
            "internal/**/*.test.ts",
            "apps/**/*.test.ts",
            "bench/**/*.test.ts",
            "docs/**/*.test.ts",
          ],
          exclude: [ADAPTERS],
        },
      },
      {
        extends: true,
        // Loading three versions of a framework for each file takes longer than the tests.
        test: { name: "shared", include: [ADAPTERS], isolate: false },
      },
    ],
  },
});
