import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground, type PlaygroundPage } from "../../testing/playground-page.ts";

const WRITE_FILE = {
  name: "write_file",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
    additionalProperties: false,
  },
};
const PATTERN = '{"properties": {"a": {"pattern": "^(a+)+$"}}}';

/** The badge beside the heading of the message, and the last one of the attempts. */
async function badges({ page }: PlaygroundPage): Promise<readonly (string | null)[]> {
  const all = page.locator(".pg-badge");
  return Promise.all([all.first(), all.last()].map((badge) => badge.textContent()));
}

/** Chooses an example and waits until it is shown. */
async function choose({ page, reads }: PlaygroundPage, title: string, said: RegExp): Promise<void> {
  await page.getByRole("combobox", { name: "Example" }).selectOption(title);
  await reads(said);
}

describe("a call that passed unchecked is not shown as valid", () => {
  test.for<readonly [name: string, schema: string, call: string, words: string]>([
    [
      "a pattern that is too slow",
      PATTERN,
      JSON.stringify({ a: `${"a".repeat(50_000)}!` }),
      "Not checked: this pattern would take too long on this string (/properties/a/pattern)",
    ],
    [
      "a schema that refers to itself",
      '{"$ref": "#"}',
      '{"a": 1}',
      "The schema could not be applied to the call, which passed unchecked",
    ],
    [
      "a pattern that nothing can read",
      '{"properties": {"a": {"pattern": "("}}}',
      '{"a": "b"}',
      "A pattern is not a regular expression and was left out (/properties/a/pattern)",
    ],
  ])("%s", async ([, schema, sent, words], { open }) => {
    const playground = await openPlayground(open);
    const { call, message, page, reads, tool, write } = playground;
    await write(tool, schema);
    await write(call, sent);
    await reads(/but not all of them were checked/);
    expect(await message.textContent()).toContain(words);
    expect(await message.textContent()).not.toContain("Valid");
    expect(await badges(playground)).toEqual([
      "attempt 1/3 · ran, not all checked",
      "ran, not all checked",
    ]);
    expect(await page.locator(".is-ran").count()).toBe(0);
    expect(await page.getByRole("listitem").filter({ hasText: words }).count()).toBe(1);
  });

  test("until everything in it is checked again", async ({ open }) => {
    const playground = await openPlayground(open);
    const { call, reads, tool, write } = playground;
    await write(tool, PATTERN);
    await write(call, JSON.stringify({ a: "a".repeat(50_000) }));
    await reads(/not all of them were checked/);
    await write(call, '{"a": "aaa"}');
    await reads(/^Valid: the tool runs/);
    expect(await badges(playground)).toEqual(["attempt 1/3 · ran", "ran"]);
  });
});

describe("a call of a tool that is not offered is answered as the contract answers it", () => {
  const called = (name: string): string =>
    JSON.stringify({ type: "tool_use", id: "a", name, input: { path: "a.md", content: "" } });

  test.for([
    ["a similar name", "wrte_file", /Unknown tool 'wrte_file'[^]*Hint: use "write_file"/],
    ["any other name", "rm", /Unknown tool 'rm'[^]*Expected: "write_file"/],
  ] as const)("%s", async ([, name, said], { open }) => {
    const playground = await openPlayground(open);
    const { call, page, reads, tool, write } = playground;
    await write(tool, JSON.stringify(WRITE_FILE));
    await write(call, called(name));
    await reads(said);
    expect(await badges(playground)).toEqual(["attempt 1/3 · rejected", "rejected"]);
    await page.getByRole("button", { name: "LangChain", exact: true }).click();
    await page.getByText("They are not asked: this call is of another tool.").waitFor();
    expect(await page.getByRole("article").count()).toBe(0);
  });

  test("and the hint leads to the tool", async ({ open }) => {
    const { button, call, page, reads, tool, write } = await openPlayground(open);
    await write(tool, JSON.stringify(WRITE_FILE));
    await write(call, called("wrte_file"));
    await reads(/VAL-012/);
    await button("Apply hints").click();
    await reads(/the tool runs/);
    await page.getByText('(tool) from the hint: use "write_file"').waitFor();
  });
});

describe("cut output stays cut", () => {
  test.for<readonly [name: string, call: string]>([
    ["in a string", '{"path": "notes.md", "content": "# Notes'],
    ["after a value", '{"path": "notes.md", "content": "# Notes"'],
    ["and broken", '{"path": notes.md, "content": "a } b }'],
    ["in a fence", '```json\n{"path": "notes.md", "content": "# Notes'],
    [
      "in a whole call",
      JSON.stringify({
        type: "function",
        function: { name: "write_file", arguments: '{"path": "a", "content": "x' },
      }),
    ],
  ])("%s", async ([, sent], { open }) => {
    const { button, call, page, reads, tool, write } = await openPlayground(open);
    await write(tool, JSON.stringify(WRITE_FILE));
    await write(call, sent);
    await reads(/VAL-0(?:11|04)/);
    expect(await button("Apply hints").isDisabled()).toBe(true);
    const before = await call.innerText();
    await button("Apply hints").press("Enter");
    await page.getByText("No hint says what to send: only the model can.").waitFor();
    expect(await call.innerText()).toBe(before);
    expect(await page.locator(".is-ran").count()).toBe(0);
  });

  test("in the example that says so, whatever is pressed", async ({ open }) => {
    const playground = await openPlayground(open);
    const { button, page, reads } = playground;
    await choose(playground, "An output that was cut", /VAL-011/);
    await page.getByRole("heading", { name: "Options" }).click();
    await page.getByRole("checkbox", { name: "Close open brackets" }).check();
    await page.getByRole("checkbox", { name: "Parse strings that hold JSON" }).check();
    for (const said of [/attempt 2\/3/, /attempt 3\/3/, /blocked/]) {
      await button("Apply hints").press("Enter");
      await button("Send again").press("Enter");
      await reads(said);
      expect(await page.locator(".is-ran").count()).toBe(0);
    }
    expect(await page.getByText("the tool runs").count()).toBe(0);
  });
});

describe("hints are applied", () => {
  test("not after the last attempt", async ({ open }) => {
    const playground = await openPlayground(open);
    const { button, call, page } = playground;
    await choose(playground, "Arguments that stay invalid", /attempt 3\/3/);
    const before = await call.innerText();
    expect(await button("Apply hints").isDisabled()).toBe(true);
    await button("Apply hints").press("Enter");
    await page.getByText("The model must not send it again, so no hint is applied.").waitFor();
    expect(await call.innerText()).toBe(before);
  });

  test("with each change beside the hint that it comes from", async ({ open }) => {
    const { button, page, reads } = await openPlayground(open);
    await button("Apply hints").click();
    await reads(/the tool runs/);
    const changes = page.getByRole("heading", { name: "What the hints changed" }).locator("..");
    expect(await changes.getByRole("listitem").allInnerTexts()).toEqual([
      '/contents from the hint: rename it to "content"',
      '/encoding from the hint: use "utf-8"',
      "/mode from the hint: send 420 without quotes",
      '/pth from the hint: rename it to "path"',
    ]);
  });

  test("and what they do not name is left to the model", async ({ open }) => {
    const playground = await openPlayground(open);
    const { button, call, page, reads, tool, write } = playground;
    await write(tool, JSON.stringify(WRITE_FILE));
    await write(call, '{"pth": "notes.md"}');
    await reads(/\/content \(VAL-001\)/);
    await button("Apply hints").click();
    await reads(/^Unfinished: the model has to fill in content/);
    expect(await call.innerText()).toBe(
      '{"path":"notes.md","content":"<content: the model fills this in>"}',
    );
    expect(await badges(playground)).toEqual(["attempt 2/3 · unfinished", "unfinished"]);
    await page.getByText("/content no hint: the model fills this in").waitFor();
    await button("Send again").press("Enter");
    await button("Apply hints").press("Enter");
    await write(call, '{"path": "notes.md", "content": "# Notes"}');
    await reads(/^Valid: the tool runs/);
    expect(await badges(playground)).toEqual(["attempt 2/3 · ran", "ran"]);
  });

  test("and a value of another type is still rejected", async ({ open }) => {
    const playground = await openPlayground(open);
    const { button, call, page } = playground;
    await choose(playground, "A secret in the arguments", /\/token \(VAL-002\)/);
    await button("Apply hints").click();
    await playground.reads(/attempt 2\/3[^]*\/database \(VAL-008\)/);
    expect(await call.innerText()).toContain('"token": "<token: the model fills this in>"');
    await page.getByText("Only the model knows what goes into database, token.").waitFor();
    expect(await button("Apply hints").isDisabled()).toBe(true);
  });
});
