import { expect, test } from "vitest";
import { allQuickstarts, quickstartsOf } from "./quickstarts.ts";

const PAGE = `# A

\`\`\`sh
npm install -D a \\
  b    # soon
npx a init
\`\`\`

\`\`\`ts
one();
\`\`\`

prints

\`\`\`text
1
\`\`\`

## Later

\`\`\`ts
other();
\`\`\`

\`\`\`sh
npm install c
\`\`\`

### Of c

\`\`\`ts
// docs/c.ts
excerpt();
\`\`\`

\`\`\`ts
two();
\`\`\`

## Later

\`\`\`ts
other();
\`\`\`
`;

test("a quickstart has its install lines, its commands, the first program and those of its section", () => {
  const common = { page: "a.md" };
  expect(quickstartsOf("a.md", PAGE)).toEqual([
    {
      ...common,
      number: 1,
      packages: ["a", "b"],
      commands: ["npx a init"],
      programs: [{ source: "one();", output: "1" }],
    },
    { ...common, number: 2, packages: ["c"], commands: [], programs: [{ source: "two();" }] },
  ]);
});

test("every package is in a quickstart", () => {
  const named = new Set(allQuickstarts().flatMap(({ packages }) => packages));
  const own = [...named].filter((name) => name.startsWith("@toolcontract/"));
  expect(own.toSorted()).toMatchInlineSnapshot(`
    [
      "@toolcontract/ai-sdk",
      "@toolcontract/config",
      "@toolcontract/core",
      "@toolcontract/explain",
      "@toolcontract/guardrails",
      "@toolcontract/langchain",
      "@toolcontract/lint",
      "@toolcontract/mastra",
      "@toolcontract/mcp",
      "@toolcontract/openai-agents",
      "@toolcontract/session",
      "@toolcontract/stores",
    ]
  `);
});
