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
    testTimeout: 120_000,
  },
});
