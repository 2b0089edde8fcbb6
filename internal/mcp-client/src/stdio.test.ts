import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { connect, listTools, overStdio } from "./index.ts";

const CLIENT = { name: "shop-client", version: "2" };
const HERE = realpathSync(tmpdir());

/** A server that runs this program with each message that it reads, and answers with `say`. */
function server(program: string) {
  const own = `
    const say = (message) => console.log(JSON.stringify(message));
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const message = JSON.parse(line);
      ${program}
    });`;
  const transport = overStdio({
    command: {
      command: process.execPath,
      args: ["-e", own],
      cwd: HERE,
      env: { ...process.env, GREETING: "hello" },
    },
    errors: "ignore",
    answerMs: 60_000,
  });
  onTestFinished(async () => transport.close());
  return transport;
}

test("requests and their results are lines of JSON", async () => {
  const transport = server(
    "say({ id: message.id, result: { message, cwd: process.cwd(), env: process.env.GREETING } });",
  );
  for (const id of [1, 2]) {
    const message = { jsonrpc: "2.0", id, method: "a", params: { b: id } };
    expect(await transport.request("a", { b: id })).toEqual({
      id,
      result: { message, cwd: HERE, env: "hello" },
    });
  }
});

test.each<[string, string]>([
  ["a session", "result: {}"],
  ["no session", 'error: { code: -32601, message: "Method not found" }'],
])("a server with %s lists its tools", async (_, greeting) => {
  const transport = server(`
    if (message.method === "initialize") say({ id: message.id, ${greeting} });
    if (message.method === "tools/list") say({ id: message.id, result: { tools: [{ name: "a" }] } });`);
  expect(await connect(transport, CLIENT, listTools)).toEqual([{ name: "a" }]);
});

test("what a server asks is answered, and what it logs is not read", async () => {
  const transport = server(`
    const seen = (globalThis.seen ??= []);
    seen.push(message);
    if (message.id === 1) {
      console.log("started");
      say({ method: "notifications/message" });
      say({ id: "p", method: "ping" });
      say({ id: "r", method: "roots/list" });
    }
    if (seen.length === 4) say({ id: 1, result: seen.slice(1) });`);
  const asked = transport.request("a", {});
  await transport.notify("notifications/initialized");
  expect((await asked)["result"]).toEqual(
    expect.arrayContaining([
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: "p", result: {} },
      { jsonrpc: "2.0", id: "r", error: { code: -32_601, message: "Method not found" } },
    ]),
  );
});

test("a server that ends answers no request, neither the open ones nor later ones", async () => {
  const transport = server("process.exit(3);");
  await expect(transport.request("a", {})).rejects.toThrow(
    "it ended with exit code 3 before it answered a",
  );
  await expect(transport.request("b", {})).rejects.toThrow("it ended with exit code 3");
});

// Windows has no signals.
test.skipIf(process.platform === "win32")("a server that is killed is reported", async () => {
  const transport = server('process.kill(process.pid, "SIGKILL");');
  await expect(transport.request("a", {})).rejects.toThrow("it ended with exit code 137");
});

test("the first answer may take longer than the others", async () => {
  const slow = (options: object) =>
    overStdio({
      command: { command: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] },
      errors: "ignore",
      answerMs: 20,
      ...options,
    });
  const [patient, hasty] = [slow({ startMs: 30 }), slow({})];
  onTestFinished(async () => void (await Promise.all([patient.close(), hasty.close()])));
  await expect(patient.request("a", {})).rejects.toThrow("it did not answer a within 0.03 s");
  await expect(patient.request("b", {})).rejects.toThrow("it did not answer b within 0.02 s");
  await expect(hasty.request("a", {})).rejects.toThrow("it did not answer a within 0.02 s");
});

test("a command that does not exist is reported", async () => {
  const start = () =>
    overStdio({
      command: { command: "no-such-command", args: [] },
      errors: "ignore",
      answerMs: 60_000,
    }).request("a", {});
  await expect((async () => start())()).rejects.toThrow("command not found");
});
