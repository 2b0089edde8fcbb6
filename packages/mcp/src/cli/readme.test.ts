import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { HELLO, toolCall } from "../testing/messages.ts";
import { endProxies, startProxy } from "../testing/proxy-process.ts";
import { readArguments } from "./command-line.ts";
import { FLAGS } from "./flags.ts";
import { flagPage, flagTable } from "./help.ts";
import { OTLP_PACKAGES } from "./otlp.ts";

afterEach(endProxies);

const page = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const flags = readFileSync(new URL("../../../../docs/mcp-flags.md", import.meta.url), "utf8");
const BIN = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));

interface Started {
  readonly command: string;
  readonly args: readonly string[];
}

function fences(language: string): readonly string[] {
  const found = page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\\n\`\`\``, "gs"));
  return [...found].map(([, text = ""]) => text);
}

test("the page on operating installs all that --otlp needs", () => {
  const operating = readFileSync(
    new URL("../../../../docs/operating-the-proxy.md", import.meta.url),
    "utf8",
  );
  expect(operating.match(/@opentelemetry\/[a-z-]+/g)?.toSorted()).toEqual([...OTLP_PACKAGES]);
});

test("the README is short enough to be read", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(100);
});

test("the client configurations start this package in front of a server", () => {
  const started = fences("json").flatMap((text) => {
    const { mcpServers, servers } = JSON.parse(text) as Record<string, Record<string, Started>>;
    return Object.values(mcpServers ?? servers ?? {});
  });
  expect(started).toHaveLength(2);
  for (const { command, args } of started) {
    expect([command, ...args.slice(0, 2)]).toEqual(["npx", "-y", "@toolcontract/mcp"]);
    expect(readArguments(args.slice(2)).command).toEqual([
      "npx",
      "-y",
      "@modelcontextprotocol/server-memory",
    ]);
  }
});

test("the text in the README is the answer to the call in the README", async () => {
  const [, name = "", args = ""] = /^For `(\w+)` with `(\{.*?\})`/m.exec(page) ?? [];
  const proxy = startProxy(["--log-level", "silent", `${BIN}mcp-server-memory`]);
  proxy.send(...HELLO, toolCall(1, name, JSON.parse(args)));
  const { result } = await proxy.answer(1);
  expect(result).toMatchObject({ isError: true, content: [{ text: fences("txt")[0] }] });
});

test("every flag and mode that the README names exists", () => {
  const named = [...page.matchAll(/`?--(?:no-)?([a-z][\w-]*)/g)].map(([, flag]) => flag);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((flag) => !Object.hasOwn(FLAGS, flag ?? ""))).toEqual([]);
  const modes = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, mode]) => mode);
  expect(FLAGS.mode.kind).toEqual({ type: "choice", choices: modes });
});

test("the table of docs/mcp-flags.md has the flags; `npm run flags` in this package writes it", () => {
  // The formatter pads the cells of tables.
  const plain = (text: string): string => text.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---");
  expect(plain(flags)).toContain(plain(flagTable()));
  expect(plain(flagPage(flags))).toBe(plain(flags));
});
