import { Agent, request } from "node:http";
import type { Replica } from "./fleet.ts";

/** What a client reads of an answer. */
interface Seen {
  /** The number of the attempt; 0 for a call that was forwarded. */
  readonly attempt: number;
  readonly isBlocked: boolean;
  readonly isForwarded: boolean;
  /** Whether it was sent again, because the first answer was lost. */
  readonly isRepeated: boolean;
}

/** A call of a tool in a session. */
interface SentCall {
  readonly session: string;
  readonly tool: string;
  readonly args: object;
}

/** Sends each call to the next proxy, and to the one after it if that cannot be reached. */
export interface Front {
  readonly call: (call: SentCall) => Promise<Seen>;
  readonly calls: () => number;
  readonly lost: () => number;
  /** Sends no more calls to a proxy; returns how many it has not answered. */
  readonly leave: (replica: Replica) => number;
  /** Sends calls to it again. */
  readonly join: (replica: Replica) => void;
}

/** Creates the front of a fleet. */
export function createFront(replicas: readonly Replica[]): Front {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let [calls, lost, next] = [0, 0, 0];
  const open = new Map(replicas.map((replica) => [replica, 0]));
  const left = new Set<Replica>();
  const count = (replica: Replica, by: number): unknown =>
    open.set(replica, (open.get(replica) ?? 0) + by);

  return {
    calls: () => calls,
    lost: () => lost,
    leave(replica) {
      left.add(replica);
      return open.get(replica) ?? 0;
    },
    join: (replica) => void left.delete(replica),
    async call(sent) {
      calls += 1;
      let isRepeated = false;
      for (;;) {
        next += 1;
        const replica = replicas[next % replicas.length];
        if (replica === undefined) throw new Error("There is no proxy.");
        if (left.has(replica)) continue;
        count(replica, 1);
        try {
          return { ...read(await post(replica.url, sent, calls, agent)), isRepeated };
        } catch (thrown) {
          const { code } = thrown as { readonly code?: string };
          if (code === "ECONNREFUSED") continue;
          if (code !== "ECONNRESET" && code !== "EPIPE") throw thrown;
          if (!isRepeated) lost += 1;
          isRepeated = true;
        } finally {
          count(replica, -1);
        }
      }
    },
  };
}

interface Result {
  readonly result?: {
    readonly isError?: boolean;
    readonly _meta?: {
      readonly "dev.toolcontract/validation"?: {
        readonly attempt: number;
        readonly status: string;
      };
    };
  };
}

function read(text: string): Omit<Seen, "isRepeated"> {
  const { result } = JSON.parse(text) as Result;
  const refused = result?._meta?.["dev.toolcontract/validation"];
  return {
    attempt: refused?.attempt ?? 0,
    isBlocked: refused?.status === "blocked",
    isForwarded: result !== undefined && refused === undefined,
  };
}

async function post(url: string, call: SentCall, id: number, agent: Agent): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: call.tool, arguments: call.args },
  });
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-session-id": call.session,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
