import { createGate, type Gate, type GateOptions, type Link } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";

/** A scripted server's answer to a request; undefined if it never answers. */
export type Script = (request: Message) => Message | undefined | Promise<Message | undefined>;

/** A gate between a test and a scripted server. */
export interface GatedServer {
  readonly gate: Gate;
  /** Every message that reached the server, the gate's own requests included. */
  readonly received: readonly Message[];
  link(keys?: { readonly attemptKey?: string; readonly listKey?: string }): Link;
  /** Sends a request as a client and returns what the client receives; undefined if there is no answer. */
  request(message: Message, link?: Link): Promise<Message | undefined>;
  /** Calls a tool and returns the response. */
  call(name: string, args: unknown, link?: Link): Promise<Message | undefined>;
  /** How often the gate asked for tools itself. */
  ownLists(): number;
}

/** Puts a gate with the given options before a scripted server. */
export function gatedServer(script: Script, options: GateOptions = {}): GatedServer {
  const gate = createGate(
    "contract" in options ? options : { logger: () => undefined, ...options },
  );
  const received: Message[] = [];
  let owned = 0;
  let ids = 0;

  async function ask(message: Message): Promise<Message | undefined> {
    received.push(message);
    return script(message);
  }

  function link({ attemptKey = "process", listKey = "" } = {}): Link {
    return {
      attemptKey,
      listKey,
      async listTools(params) {
        owned += 1;
        const answer = await ask({ jsonrpc: "2.0", id: "own", method: "tools/list", params });
        if (answer === undefined) return new Promise(() => undefined);
        if (!("result" in answer)) throw new Error("refused");
        return answer["result"];
      },
    };
  }

  const usual = link();

  async function request(message: Message, on = usual): Promise<Message | undefined> {
    const ruling = await gate.fromClient(message, on);
    if (ruling.kind !== "forward") return ruling.kind === "answer" ? ruling.message : undefined;
    const answer = await ask(message);
    return answer && ((await gate.fromServer(answer, on)) ?? answer);
  }

  return {
    gate,
    received,
    link,
    request,
    async call(name, args, on) {
      ids += 1;
      return request(toolCall(ids, name, args), on);
    },
    ownLists: () => owned,
  };
}

/** A `tools/call` request of the session-based protocol. */
export function toolCall(id: number | string, name: string, args: unknown): Message {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

/** A server of the given tools, whose calls are answered by the script. */
export function serverOf(tools: readonly Message[], onCall: Script = succeed): Script {
  return (request) =>
    request["method"] === "tools/list"
      ? { jsonrpc: "2.0", id: request["id"], result: { tools } }
      : onCall(request);
}

/** Answers any call with a success. */
export function succeed({ id }: Message): Message {
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "done" }] } };
}

/** The text of a result or an error. */
export function textOf(response: Message | undefined): string {
  const { result, error } = (response ?? {}) as {
    readonly result?: { readonly content?: readonly { readonly text?: string }[] };
    readonly error?: { readonly message?: string };
  };
  return error?.message ?? (result?.content ?? []).map((part) => part.text).join("\n---\n");
}
