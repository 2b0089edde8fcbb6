import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "internal/**/*.test.ts",
      "apps/**/*.test.ts",
      "bench/**/*.test.ts",
      "docs/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    // Ends a test that hangs; none asserts elapsed time.
    testTimeout: 120_000,
    // The closing line counts tests by their location in the source.
    includeTaskLocation: true,
  },
});
