import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground, type PlaygroundPage } from "../../testing/playground-page.ts";

const choose =
  (name: string, value: string) =>
  async ({ page }: PlaygroundPage) => {
    await page.getByRole("combobox", { name, exact: true }).selectOption(value);
  };
const set =
  (name: string, value: string) =>
  async ({ page }: PlaygroundPage) => {
    const field = page.getByLabel(name, { exact: true });
    await field.fill(value);
    await field.press("Enter");
  };
const tick =
  (name: string) =>
  ({ page }: PlaygroundPage) =>
    page.getByRole("checkbox", { name, exact: true }).click();

interface Row {
  readonly does: string;
  readonly tool?: object;
  readonly call: string;
  readonly before: RegExp;
  readonly change: (playground: PlaygroundPage) => Promise<void>;
  readonly after: RegExp;
}

const LIST = {
  type: "object",
  properties: { labels: { type: "array" }, iban: { type: "integer" } },
};

const ROWS: readonly Row[] = [
  {
    does: "the style",
    call: '{"labels": 1}',
    before: /Errors:/,
    change: choose("Style", "compact"),
    after: /^(?![^]*Errors:)/,
  },
  {
    does: "the number of attempts",
    call: '{"labels": 1}',
    before: /attempt 1\/3/,
    change: set("Attempts", "5"),
    after: /attempt 1\/5/,
  },
  {
    does: "the errors in a message",
    call: '{"labels": 1, "iban": "x"}',
    before: /\/iban[^]*\/labels/,
    change: set("Errors in a message", "1"),
    after: /\/iban(?![^]*\/labels)/,
  },
  {
    does: "the length of a value",
    call: '{"labels": "abcdefghijklmnopqrstuvwxyz"}',
    before: /abcdefghijklmnopqrstuvwxyz/,
    change: set("Characters of a value", "5"),
    after: /^(?![^]*abcdefghijkl)/,
  },
  {
    does: "unknown fields",
    call: '{"other": 1}',
    before: /the tool runs/,
    change: choose("Unknown fields", "reject"),
    after: /\/other \(VAL-005\)/,
  },
  {
    does: "the repair of JSON",
    call: "{'labels': []}",
    before: /the tool runs/,
    change: tick("Repair JSON"),
    after: /VAL-004/,
  },
  {
    does: "strings that hold JSON",
    call: '{"labels": "[1]"}',
    before: /the tool runs/,
    change: tick("Parse strings that hold JSON"),
    after: /\/labels \(VAL-002\)/,
  },
  {
    does: "open brackets",
    call: '{"labels": [1]',
    before: /VAL-011/,
    change: tick("Close open brackets"),
    after: /the tool runs/,
  },
  {
    does: "what is hidden",
    call: '{"iban": "DE02120300000000202051"}',
    before: /DE02120300000000202051/,
    change: set("Also hide fields named", "iban"),
    after: /\[hidden\]/,
  },
];

describe("an option changes what the model reads", () => {
  test.for(ROWS.map((row) => [row.does, row] as const))("%s", async ([, row], { open }) => {
    const playground = await openPlayground(open);
    await playground.page.getByRole("heading", { name: "Options" }).click();
    await playground.write(playground.tool, JSON.stringify(LIST));
    await playground.write(playground.call, row.call);
    await playground.reads(row.before);
    await row.change(playground);
    await playground.reads(row.after);
  });

  test("a value that does not fit is put back", async ({ open }) => {
    const { page, reads } = await openPlayground(open);
    await page.getByRole("heading", { name: "Options" }).click();
    const field = page.getByLabel("Attempts", { exact: true });
    for (const value of ["0", "11", "1.5", "", "1e9"]) {
      await field.fill(value);
      await field.press("Enter");
      await expect.poll(() => field.inputValue()).toBe("3");
    }
    await reads(/attempt 1\/3/);
  });
});
