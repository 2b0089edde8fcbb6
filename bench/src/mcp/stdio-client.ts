import type { ChildProcess } from "node:child_process";
import type { McpClient } from "./client.ts";

/** A client on the streams of a child process. */
export function stdioClient({ stdin, stdout }: ChildProcess): McpClient {
  if (!stdin || !stdout) throw new Error("The child has no pipes.");
  const waiting = new Map<number, (line: string) => void>();
  let rest = "";
  let serial = 0;
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const id = Number(/"id":(\d+)/.exec(line)?.[1]);
      waiting.get(id)?.(line);
      waiting.delete(id);
    }
  });
  const write = (message: object): void => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  return {
    async request(method, params) {
      serial += 1;
      const id = serial;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        write({ id, method, params });
      });
    },
    async notify(method) {
      write({ method });
    },
  };
}
