import { startServer, type ServerCommand } from "../stdio/index.ts";
import { createLineSplitter, MAX_LIST_BYTES, type Message, parseMessage } from "../wire/index.ts";
import { type CheckConnection, Unreached } from "./connection.ts";

/** How long a server may take to end once its input is closed. */
const END_MS = 1_000;

/** Starts a server on stdio and connects to it. */
export function connectStdio(command: ServerCommand, timeoutMs: number): CheckConnection {
  const server = startServer(command, "inherit");
  if (server.status === "not started") throw new Unreached(server.reason);
  const { toServer, fromServer, tree, ended } = server;
  const waiting = new Map<unknown, (answer: Message) => void>();
  const splitter = createLineSplitter(MAX_LIST_BYTES);
  let count = 0;
  fromServer.on("data", (chunk: Buffer) => {
    for (const { bytes } of splitter.push(chunk)) {
      const message = parseMessage(bytes);
      if (message && !("method" in message)) waiting.get(message["id"])?.(message);
    }
  });

  function send(message: Message): void {
    toServer.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
  return {
    async request(method, params) {
      count += 1;
      const id = count;
      const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
      const gone = ended.then((end): never => {
        if (end.status === "not started") throw new Unreached(end.reason);
        throw new Unreached(`it ended with exit code ${end.code} before it answered ${method}`);
      });
      // Nobody waits for it once the server has answered.
      gone.catch(() => undefined);
      send({ id, method, params });
      return answeredWithin(timeoutMs, method, Promise.race([answered, gone]));
    },
    notify: async (method) => send({ method }),
    agreed: () => undefined,
    async close() {
      toServer.end();
      const timer = setTimeout(() => tree.signal("SIGKILL"), END_MS);
      await ended;
      clearTimeout(timer);
      tree.signal("SIGKILL");
      fromServer.destroy();
    },
  };
}

async function answeredWithin<T>(
  milliseconds: number,
  method: string,
  task: Promise<T>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Unreached(`it did not answer ${method} within ${milliseconds} ms`));
    }, milliseconds);
  });
  return Promise.race([task, late]).finally(() => clearTimeout(timer));
}
