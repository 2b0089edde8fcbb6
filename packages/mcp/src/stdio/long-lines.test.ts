import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWhole } from "@toolcontract/case-table/whole";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { addServer, HELLO, toolCall } from "../testing/messages.ts";
import {
  endProxies,
  type ProxyProcess,
  proxyCommand,
  script,
  startProxy,
} from "../testing/proxy-process.ts";
import type { Proxy } from "../testing/proxy-streams.ts";
import { runProxy } from "../testing/run-proxy.ts";
import { createOwnRequests, type Message } from "../wire/index.ts";
import type { LineWriter } from "./lines.ts";
import { type LongLineServices, longLinesOfServer } from "./long-lines.ts";

afterEach(endProxies);

const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
const LIMIT = ["--max-body", "100kb"];
const REFUSED =
  "Refused by the proxy: the message is larger than 102400 bytes; raise --max-body to send it.";
/** Several reads of a pipe long. */
const LENGTH = 400_000;
const PAD = "x".repeat(LENGTH);
const LONG_CALL = JSON.stringify(toolCall(2, "add", { a: PAD }));

/** A server that says what it read of each line, so that nothing reaches it unseen. */
const telling = addServer({
  onCall: "reply(m, { content: [{ type: 'text', text: 'ran ' + m.id }] })",
}).replace(
  "const m = JSON.parse(line);",
  `let m; try { m = JSON.parse(line); } catch { m = {}; }
   write(JSON.stringify({ jsonrpc: "2.0", method: "read", params: [line.length, m.method ?? null] }));`,
);

let files = 0;

/** Starts the proxy, and reads its log and metrics when it has ended. */
function start(...args: readonly string[]): {
  readonly proxy: Proxy;
  readonly end: () => Promise<{ readonly log: string; readonly metrics: string }>;
} {
  files += 1;
  const [logFile, metricsFile] = [join(folder, `${files}.log`), join(folder, `${files}.prom`)];
  const outputs = ["--log-file", logFile, "--metrics-file", metricsFile];
  const proxy = runProxy([...LIMIT, "--grace", "1h", ...outputs, ...args]);
  return {
    proxy,
    end: async () => {
      proxy.endInput();
      await proxy.exited;
      return { log: readFileSync(logFile, "utf8"), metrics: readFileSync(metricsFile, "utf8") };
    },
  };
}

const unvalidated = (outcome: string, count: number): string =>
  `toolcontract_unvalidated_calls_total{reason="too-large",outcome="${outcome}"} ${count}\n`;
const unread = (from: string, count: number): string =>
  `toolcontract_unread_messages_total{from="${from}"} ${count}\n`;

describe("a line of the client that may be a tool call", () => {
  const params = `"params":{"name":"add","arguments":{"a":"${PAD}"}}`;
  const LINES = [
    ["the method first", `{"jsonrpc":"2.0","id":2,"method":"tools/call",${params}}`, 2],
    ["the id last", `{"method":"tools/call",${params},"jsonrpc":"2.0","id":"2"}`, "2"],
    ["the method last", `{${params},"id":-2,"method":"tools/call"}`, -2],
    ["escapes", `{"\\u006dethod":"tools\\/call","i\\u0064":2,${params}}`, 2],
    ["the method twice", `{"id":2,"method":"ping","Method":"tools/call",${params}}`, 2],
    ["the id twice", `{"id":2,"method":"tools/call",${params},"id":3}`, null],
    ["an id that is rounded", `{"id":9007199254740993,"method":"tools/call",${params}}`, null],
    ["a batch", `[{"id":2,"method":"tools/call",${params}}]`, null],
    ["a comment", `{"id":2,"method":"ping",/*"*/"method":"tools/call",${params}}`, null],
    ["no JSON", `{"id":2,tools/call ${PAD}`, null],
  ] as const;

  test("is refused with the limit and the option, and counted", async () => {
    const { proxy, end } = start(...script(telling));
    const refused: unknown[] = [];
    for (const [what, line] of LINES) {
      proxy.send(line, toolCall(what, "add", { a: 1, b: 2 }));
      expect((await proxy.answer(what)).result?.content?.[0]?.text).toBe(`ran ${what}`);
      const lines = proxy.output().toString().split("\n");
      const answers = lines.filter((text) => text.includes("Refused by the proxy"));
      refused.push([what, answers.length, JSON.parse(answers.at(-1) ?? "null")]);
    }
    expect(refused).toEqual(
      LINES.map(([what, , id], index) => [
        what,
        index + 1,
        { jsonrpc: "2.0", id, error: { code: -32_600, message: REFUSED } },
      ]),
    );
    const { log, metrics } = await end();
    expect(proxy.output().toString()).toContain("tools/call");
    expect(proxy.output().toString()).not.toMatch(/"params":\[\d{5,}/);
    expect(log.match(/"reason":"too-large"/g)).toHaveLength(LINES.length);
    expect(metrics).toContain(unvalidated("refused", LINES.length));
  });

  test("and is a notification gets no answer", async () => {
    const { proxy, end } = start(...script(telling));
    proxy.send(`{"method":"tools/call",${params}}`, toolCall(9, "add", { a: 1, b: 2 }));
    await proxy.answer(9);
    expect((await end()).metrics).toContain(unvalidated("refused", 1));
    expect(proxy.output().toString()).not.toContain("Refused");
  });

  test("and never ends is refused when the input does", async () => {
    const { proxy, end } = start(...script(telling));
    proxy.endInput(LONG_CALL.slice(0, -10));
    expect((await end()).metrics).toContain(unvalidated("refused", 1));
    expect(proxy.output().toString()).toContain(REFUSED);
    expect(proxy.output().toString()).not.toContain('"read"');
  });

  test.each(["assist", "audit"])("is forwarded, counted and reported in mode %s", async (mode) => {
    const { proxy, end } = start("--mode", mode, ...script(telling));
    proxy.send(LONG_CALL);
    expect((await proxy.answer(2)).result?.content?.[0]?.text).toBe("ran 2");
    const { log, metrics } = await end();
    expect(metrics).toContain(unvalidated("forwarded", 1));
    expect(log).toContain('"stage":"too-large"');
  });

  test("of the official client: the call fails at once, the next one runs", async () => {
    const args = [...LIMIT, "--log-level", "silent", ...script(telling)];
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ ...proxyCommand(args), stderr: "ignore" }));
    const add = async (a: unknown): Promise<unknown> =>
      client.callTool({ name: "add", arguments: { a, b: 2 } });
    await expect(add(PAD)).rejects.toThrow(REFUSED);
    expect(await add(1)).toMatchObject({ content: [{ text: expect.stringMatching(/^ran \d/) }] });
    await client.close();
  });
});

describe("a long line of the client that cannot be a tool call", () => {
  const result = `{"content":{"type":"image","data":"${PAD}"}}`;
  const LINES = [
    ["a result", `{"jsonrpc":"2.0","id":7,"result":${result}}`, null],
    [
      "a result, as the official client writes it",
      `{"result":${result},"jsonrpc":"2.0","id":7}`,
      null,
    ],
    ["an error", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"${PAD}"}}`, null],
    ["another request", `{"jsonrpc":"2.0","id":7,"method":"x/y","params":${result}}`, "x/y"],
    ["a notification", `{"method":"x/y","params":${result}}`, "x/y"],
  ] as const;

  test("is forwarded and counted", async () => {
    const { proxy, end } = start("--no-fail-open", ...script(telling));
    for (const [what, line, method] of LINES) {
      const before = proxy.output().length;
      proxy.send(line, toolCall(what, "add", { a: 1, b: 2 }));
      await proxy.answer(what);
      const output = proxy.output().subarray(before).toString();
      expect({ what, isRead: output.includes(JSON.stringify([line.length, method])) }).toEqual({
        what,
        isRead: true,
      });
    }
    proxy.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    const { log, metrics } = await end();
    expect(metrics).toContain(unread("client", LINES.length));
    expect(log).toContain("Message of the client relayed unread");
    expect(metrics).not.toContain("too-large");
  });

  test("but turns out to be one is cut off and refused", async () => {
    const lines = [
      `{"result":1,"x":"${PAD}","method":"tools/call","id":2}`,
      `{"method":"x/y","x":"${PAD}","method":"tools/call","id":2}`,
      `{"method":"x/y","x":"${PAD}","METHOD":"tools/call","id":2}`,
      `{"method":"x/y","x":"${PAD}"}{"method":"tools/call","id":2}`,
      `{"method":"x/y","x":"${PAD}"}\r{"method":"tools/call","id":2}`,
    ];
    const { proxy, end } = start(...script(telling));
    for (const [index, line] of lines.entries()) {
      proxy.send(line, toolCall(10 + index, "add", { a: 1, b: 2 }));
      await proxy.answer(10 + index);
      const output = proxy.output().toString();
      expect([index, output.split(REFUSED).length - 1]).toEqual([index, index + 1]);
      expect(output).not.toContain("ran 2");
    }
    expect((await end()).metrics).toContain(unvalidated("refused", lines.length));
  });
});

describe("a long line of the server", () => {
  const bigResult = `
    const result = { content: [{ text: 'y'.repeat(${LENGTH}) }] };
    if (m.id === 3) write(JSON.stringify({ jsonrpc: "2.0", result, id: m.id }));
    else reply(m, result)`;

  test("reaches the client whole and is counted, and the end does not wait for it", async () => {
    const { proxy, end } = start(...script(addServer({ onCall: bigResult })));
    // The second is invalid, and the server accepts it; of the third, the id comes last.
    proxy.send(toolCall(1, "add", { a: 1, b: 2 }), toolCall(2, "add", { a: "1", b: 2 }));
    proxy.send(toolCall(3, "add", { a: 1, b: 2 }));
    for (const id of [1, 2, 3]) {
      expect((await proxy.answer(id)).result?.content?.[0]?.text).toHaveLength(LENGTH);
    }
    // --grace is an hour.
    const { log, metrics } = await end();
    expect(metrics).toContain(unread("server", 3));
    expect(log).toContain("Message of the server relayed unread");
  });

  test("may be the tool list, which has a limit of its own: calls are validated", async () => {
    const onList = `reply(m, { tools: [{ ...tool, description: 'z'.repeat(${LENGTH}) }] })`;
    const { proxy, end } = start("--list-timeout", "1h", ...script(addServer({ onList })));
    proxy.send(toolCall(1, "add", { a: 1 }), toolCall(2, "add", { a: 1, b: 2 }));
    expect((await proxy.answer(1)).result?.content?.[0]?.text).toContain("VAL-001");
    expect((await proxy.answer(2)).result?.content?.[0]?.text).toBe("3");
    expect(proxy.output().toString()).not.toContain("zzz");
    // The client gets the one that it asks for.
    proxy.send(...HELLO, { jsonrpc: "2.0", id: 5, method: "tools/list" });
    expect((await proxy.answer(5)).result?.tools).toMatchObject([{ name: "add" }]);
    expect((await end()).metrics).not.toContain("unvalidated_calls_total{");
  });

  test("and the tool list over its own limit: it is not a list, and the gate does not wait for it", async () => {
    const sent: Message[] = [];
    const own = createOwnRequests((request) => sent.push(request));
    const list = own.list({}, {});
    const toClient = { relay: vi.fn<LineWriter["relay"]>() } as unknown as LineWriter;
    const open = { sent: () => undefined, answered: () => undefined };
    const lines = longLinesOfServer({ own, open, toClient } as unknown as LongLineServices);
    const megabyte = Buffer.alloc(2 ** 20, "z");
    const begin = `{"jsonrpc":"2.0","id":${JSON.stringify(sent[0]?.["id"])},"result":{"tools":[],"x":"`;
    lines.take({ bytes: Buffer.from(begin), whole: false, ends: false });
    for (let count = 0; count < 64; count += 1) {
      lines.take({ bytes: megabyte, whole: false, ends: false });
    }
    lines.take({ bytes: Buffer.from('"}}\n'), whole: false, ends: true });
    const failure = await list.catch((thrown: unknown) => Object(thrown).constructor.name);
    expect(failure).toBe("ToolListTooLarge");
    expect(toClient.relay).not.toHaveBeenCalled();
  });
});

/** The most memory that a process has needed, in kB. */
function mostMemory({ child }: ProxyProcess): number {
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]);
}

const MEGABYTES = isWhole ? 200 : 120;

// Only there a process shows how much memory it needed at most.
test.runIf(process.platform === "linux")(
  "a line of many megabytes is not kept, whether it is refused or passes",
  async () => {
    const counting = `
      let bytes = 0;
      process.stdin.on("data", (chunk) => { bytes += chunk.length; if (bytes > ${MEGABYTES}e6) { console.log("all"); bytes = 0; } });`;
    const proxy = startProxy([...LIMIT, ...script(counting)]);
    const write = async (text: string | Buffer): Promise<void> =>
      new Promise((resolve) => {
        proxy.child.stdin?.write(text, () => {
          resolve();
        });
      });
    const megabyte = Buffer.alloc(1_000_000, "x");
    const line = async (head: string): Promise<void> => {
      await write(head);
      for (let count = 0; count < MEGABYTES; count += 1) await write(megabyte);
      await write('"}\n');
    };
    proxy.send({ jsonrpc: "2.0", id: 0, method: "tools/call", params: {} });
    await proxy.answer(0);
    const before = mostMemory(proxy);
    await line('{"id":1,"method":"tools/call","params":"');
    expect((await proxy.answer(1)).error?.message).toBe(REFUSED);
    await line('{"id":2,"result":"');
    await proxy.line((text) => text === "all");
    expect(mostMemory(proxy) - before).toBeLessThan(115_000);
  },
);
