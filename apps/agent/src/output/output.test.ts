import { Writable } from "node:stream";
import type { FinalReport } from "@toolcontract/session";
import { describe, expect, test } from "vitest";
import { createOutput, type Result, type Stream } from "./index.ts";

class Captured extends Writable {
  text = "";
  readonly isTTY: boolean;
  constructor(isTTY = false) {
    super();
    this.isTTY = isTTY;
  }
  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

const report = (more: object): FinalReport => ({
  status: "success",
  format: "markdown",
  ts: 1,
  ...more,
});
const result = (more: Partial<Result>): Result => ({
  success: true,
  conversation: [],
  accounting: [],
  ...more,
});
const content = "# Title\n\n- **bold** `code`\n\u001b[2J\u0007hidden\n";

async function written(
  given: Result,
  { format = "text", isTTY = false }: { format?: "text" | "json"; isTTY?: boolean } = {},
): Promise<readonly [string, string]> {
  const stdout = new Captured(isTTY);
  const stderr = new Captured();
  await createOutput(format, { stdout, stderr }).result(given);
  return [stdout.text, stderr.text];
}

describe("what a run came to", () => {
  test.each<[string, Partial<Result>, string, string]>([
    ["a report", { finalReport: report({ content: "Done.\n" }) }, "Done.\n", ""],
    [
      "a report in JSON",
      { finalReport: report({ format: "json", content_json: { count: 2 } }) },
      '{\n  "count": 2\n}\n',
      "",
    ],
    [
      "JSON that is null",
      { finalReport: report({ format: "json", content_json: null }) },
      "null\n",
      "",
    ],
    [
      "messages for Slack",
      { finalReport: report({ format: "slack-block-kit", messages: [{ blocks: [] }] }) },
      '[\n  {\n    "blocks": []\n  }\n]\n',
      "",
    ],
    [
      "a failure report",
      {
        success: false,
        finalReport: report({
          status: "failure",
          content: "No report.",
          metadata: { reason: "max_turns_exhausted" },
        }),
      },
      "No report.\n",
      "toolcontract-agent: the run failed (max_turns_exhausted)\n",
    ],
    ["an error", { success: false, error: "bad key" }, "", "toolcontract-agent: bad key\n"],
    [
      "an error after the report",
      { finalReport: report({ content: "Done." }), error: "late" },
      "Done.\n",
      "toolcontract-agent: late\n",
    ],
    [
      "a check",
      {
        check: {
          files: ["/home/a/.agent/config.yml"],
          targets: [{ provider: "main", model: "small" }],
          servers: { files: 14 },
          queues: { default: { concurrent: 4 } },
          limits: {
            max_turns: { value: 8, from: "/home/a/.agent/config.yml" },
            request_timeout: { value: { total: 5 }, from: "default" },
            plain_text: { value: "nudge", from: "default" },
          },
          keys: { main: true },
        },
      },
      `Configuration:
  /home/a/.agent/config.yml
Targets:
  main/small: key is set
MCP servers:
  files: 14 tools
Limits:
  max_turns: 8 (/home/a/.agent/config.yml)
  request_timeout: {"total":5} (default)
  plain_text: nudge (default)
Queues:
  default: 4 at once
`,
      "",
    ],
  ])("piped: %s", async (_, given, stdout, stderr) => {
    expect(await written(result(given))).toEqual([stdout, stderr]);
  });

  test("piped, a report is what the model wrote, but for what a terminal would obey", async () => {
    const [stdout] = await written(result({ finalReport: report({ content }) }));
    expect(stdout).toBe("# Title\n\n- **bold** `code`\nhidden\n");
  });

  test.each(["markdown", "text"] as const)(
    "on a terminal, %s cannot move the cursor",
    async (format) => {
      const finalReport = report({ format, content });
      const [stdout] = await written(result({ finalReport }), { isTTY: true });
      expect(stdout).toContain("hidden");
      expect(stdout).not.toContain("\u0007");
      expect(stdout).not.toContain("\u001b[2J");
      expect(stdout.includes("**bold**")).toBe(format === "text");
    },
  );

  test("as JSON it is whole, also without a report", async () => {
    const given = result({ success: false, error: "bad key" });
    const [stdout, stderr] = await written(given, { format: "json" });
    expect(JSON.parse(stdout)).toEqual(given);
    expect(stderr).toBe("");
  });
});

test("the same warning is written once", () => {
  const stderr = new Captured();
  const { warn } = createOutput("text", { stdout: new Captured(), stderr });
  for (const line of ["slow", "slow", "wrong"]) warn(line);
  expect(stderr.text).toBe("toolcontract-agent: slow\ntoolcontract-agent: wrong\n");
});

test("nobody who reads is not an error", async () => {
  const stdout: Stream = new Writable({
    write: (_, __, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" })),
  });
  stdout.on("error", () => undefined);
  const output = createOutput("text", { stdout, stderr: new Captured() });
  await expect(output.print("text")).resolves.toBe(true);
});
