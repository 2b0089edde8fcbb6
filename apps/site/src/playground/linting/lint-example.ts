/** What the page shows first: the answer of a server to `tools/list`, with mistakes as real ones have them. */
export const LINT_EXAMPLE: string = JSON.stringify(
  {
    tools: [
      {
        name: "search_issues",
        description: "Searches the issues of a repository.",
        inputSchema: {
          type: "object",
          properties: {
            query: { type: "string", description: "What to find." },
            labels: { type: "array", enum: ["bug", "docs"], description: "Labels of the issues." },
            sort: { type: "string", description: "One of: created, updated" },
            limit: { type: "integer", default: "20", description: "How many, 50 at most." },
          },
          required: ["query"],
        },
      },
      {
        name: "close_issue",
        description: "Closes an issue.",
        inputSchema: {
          type: "object",
          properties: {
            number: { type: "integer", minimum: 1, description: "The number of the issue." },
            reason: { enum: ["completed", "not_planned", null], description: "Why." },
          },
          required: ["number"],
          additionalProperties: false,
        },
      },
    ],
  },
  null,
  2,
);
