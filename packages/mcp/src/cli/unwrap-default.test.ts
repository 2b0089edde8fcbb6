import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { HELLO, toolCall } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import { runProxy } from "../testing/run-proxy.ts";

describe("arguments that are a string of JSON are read", () => {
  const echo = `
    const reply = (m, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }) + "\\n");
    const tool = { name: "draw", inputSchema: { type: "object", properties: { dots: { type: "array" } } } };
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const m = JSON.parse(line);
      if (m.method === "tools/list") reply(m, { tools: [tool] });
      if (m.method === "tools/call") reply(m, { content: [{ type: "text", text: JSON.stringify(m.params.arguments.dots) }] });
    });`;
  const OFF = { TOOLCONTRACT_UNWRAP_STRINGS: "off" };
  const ON = { TOOLCONTRACT_UNWRAP_STRINGS: "on" };
  const ASSIST = { TOOLCONTRACT_MODE: "assist" };
  const inFile = (value: boolean): string => `validation: { unwrap_strings: ${value} }`;

  test.each<[string, boolean, readonly string[], NodeJS.ProcessEnv, string]>([
    ["by default", false, [], {}, ""],
    ["in assist, by a flag", true, ["--mode=assist"], {}, ""],
    ["in assist, by a variable", true, [], ASSIST, ""],
    ["in audit", false, ["--mode=audit"], {}, ""],
    ["in assist without it, by a flag", false, ["--mode=assist", "--no-unwrap-strings"], {}, ""],
    ["in assist without it, by a variable", false, ["--mode=assist"], OFF, ""],
    ["in assist without it, by the file", false, ["--mode=assist"], {}, inFile(false)],
    ["by a flag", true, ["--unwrap-strings"], {}, ""],
    ["by a variable", true, [], ON, ""],
    ["by the file", true, [], {}, inFile(true)],
    ["by a flag and not the file", true, ["--unwrap-strings"], {}, inFile(false)],
    ["by a variable and not the file", false, [], OFF, inFile(true)],
  ])("%s: %j", async (_, isRead, flags, env, file) => {
    const path = join(mkdtempSync(join(tmpdir(), "config-")), "config.yml");
    writeFileSync(path, `version: 1\ntools:\n  ${file === "" ? "{}" : file}\n`);
    const proxy = runProxy([...flags, ...script(echo)], { ...env, TOOLCONTRACT_CONFIG: path });
    proxy.send(...HELLO, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    await proxy.answer(1);
    proxy.send(toolCall(2, "draw", { dots: "[4]" }));
    const { text } = (await proxy.answer(2)).result?.content?.[0] ?? {};
    expect(text).toBe(isRead ? "[4]" : '"[4]"');
  });
});
