import { tmpdir } from "node:os";
import { realpathSync } from "node:fs";
import { expect, test } from "vitest";
import { connectStdio } from "./index.ts";

/** A server that runs this program with the lines that it reads, and answers with `say`. */
function server(program: string) {
  const own = `
    const say = (message) => console.log(JSON.stringify(message));
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const message = JSON.parse(line);
      ${program}
    });`;
  return connectStdio({
    command: process.execPath,
    args: ["-e", own],
    cwd: realpathSync(tmpdir()),
    env: { ...process.env, GREETING: "hello" },
  });
}

test("requests and their results are lines of JSON", async () => {
  const connection = server(
    "say({ id: message.id, result: { message, cwd: process.cwd(), env: process.env.GREETING } });",
  );
  const answer = (id: number) => ({
    message: { jsonrpc: "2.0", id, method: "a", params: { b: id } },
    cwd: realpathSync(tmpdir()),
    env: "hello",
  });
  expect(await connection.request("a", { b: 1 })).toEqual(answer(1));
  expect(await connection.request("a", { b: 2 })).toEqual(answer(2));
  await connection.close();
});

test("what a server asks is answered, and what it logs is not read", async () => {
  const connection = server(`
    const seen = (globalThis.seen ??= []);
    seen.push(message);
    if (message.id === 1) {
      console.log("started");
      say({ method: "notifications/message" });
      say({ id: "p", method: "ping" });
      say({ id: "r", method: "roots/list" });
    }
    if (seen.length === 4) say({ id: 1, result: seen.slice(1) });`);
  const asked = connection.request("a", {});
  await connection.notify("notifications/initialized");
  expect(await asked).toEqual(
    expect.arrayContaining([
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: "p", result: {} },
      { jsonrpc: "2.0", id: "r", error: { code: -32_601, message: "Method not found" } },
    ]),
  );
  await connection.close();
});

test("a server that ends answers no request, neither the open ones nor later ones", async () => {
  const connection = server("process.exit(3);");
  const reason = "it ended with exit code 3";
  await expect(connection.request("a", {})).rejects.toThrow(reason);
  await expect(connection.request("b", {})).rejects.toThrow(reason);
  await connection.close();
});

// Windows has no signals.
test.skipIf(process.platform === "win32")("a server that is ended says by what", async () => {
  const connection = server('process.kill(process.pid, "SIGKILL");');
  await expect(connection.request("a", {})).rejects.toThrow("it ended with SIGKILL");
});

test("an error of a server is one of the request", async () => {
  const connection = server('say({ id: message.id, error: { code: 1, message: "no" } });');
  await expect(connection.request("a", {})).rejects.toMatchObject({ text: "MCP error 1: no" });
  await connection.close();
});
