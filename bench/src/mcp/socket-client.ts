import { connect, type Socket } from "node:net";
import { clientOn, type McpClient } from "./client.ts";

/** A connection, and what has arrived of the response that is waited for. */
interface Lane {
  readonly socket: Socket;
  text: string;
  done: ((text: string) => void) | undefined;
}

/** Creates a client of a session on Streamable HTTP that costs less than Node's own: it reads what servers of MCP write. */
export function socketClient(port: number): McpClient & { close(): void } {
  const idle: Lane[] = [];
  const all = new Set<Socket>();
  let session = "";

  function open(): Lane {
    const socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    const lane: Lane = { socket, text: "", done: undefined };
    all.add(socket);
    const take = (part: string): void => {
      lane.text += part;
      if (!isComplete(lane.text)) return;
      const { text, done } = lane;
      lane.text = "";
      lane.done = undefined;
      idle.push(lane);
      done?.(text);
    };
    const lose = (): void => {
      all.delete(socket);
      const at = idle.indexOf(lane);
      if (at !== -1) idle.splice(at, 1);
      lane.done?.("");
    };
    socket.on("data", take).on("error", lose).on("close", lose);
    return lane;
  }

  async function post(message: object): Promise<string> {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const lane = idle.pop() ?? open();
    const text = await new Promise<string>((resolve) => {
      lane.done = resolve;
      lane.socket.write(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
          `Accept: application/json, text/event-stream\r\n${session}Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    });
    if (!/^HTTP\/1.1 20/.test(text)) throw new Error(`Answered with ${text.slice(0, 300)}`);
    const given = /^mcp-session-id: (.*)\r$/im.exec(text)?.[1];
    if (given !== undefined)
      session = `Mcp-Session-Id: ${given}\r\nMcp-Protocol-Version: 2025-06-18\r\n`;
    return text;
  }
  return {
    ...clientOn(post),
    close() {
      for (const socket of all) socket.destroy();
    },
  };
}

/** Whether a response has arrived to its end. */
function isComplete(text: string): boolean {
  const head = text.indexOf("\r\n\r\n") + 4;
  if (head < 4) return false;
  const length = /^content-length: *(\d+)\r$/im.exec(text.slice(0, head))?.[1];
  return length === undefined ? text.endsWith("\r\n0\r\n\r\n") : text.length >= head + +length;
}
