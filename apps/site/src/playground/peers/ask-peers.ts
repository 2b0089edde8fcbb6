import type { JsonSchema } from "@toolcontract/core";
import { type DeclaredTool, isZod, offerThrough, type Outcome } from "@toolcontract/frameworks";
import { z } from "zod";
import { replaceBlobLocation } from "./location-of-blob.ts";
import type { Peer } from "./peer.ts";
import type { PeerAnswer, PeerName, PeerRequest } from "./peer-answer.ts";
import { MOST_CHARACTERS } from "./read-answers.ts";

/** An error may quote the schema. */
const MOST_OF_A_REASON = 300;

const PEERS: readonly (readonly [PeerName, () => Promise<Peer>])[] = [
  ["AI SDK", async () => (await import("./ai-sdk.ts")).aiSdk],
  ["LangChain", async () => (await import("./langchain.ts")).langchain],
  ["MCP SDK", async () => (await import("./mcp.ts")).mcp],
];

/** Makes the call through every peer; a tool with a JSON Schema is declared with it, and with zod. */
export async function askPeers({ tool, text }: PeerRequest): Promise<readonly PeerAnswer[]> {
  replaceBlobLocation(globalThis);
  const declarations = declarationsOf(tool);
  const answers = PEERS.map(async ([peer, load]) => {
    const loaded = await load().catch((thrown: unknown) => reasonOf(thrown));
    return Promise.all(
      declarations.map(async ({ declared, tool: offered, note }): Promise<PeerAnswer> => {
        if (typeof loaded === "string")
          return { peer, how: "", declared, ...notAsked(`It could not be loaded: ${loaded}`) };
        const how = `run in this page with ${loaded.package} ${loaded.version}`;
        const said = offered === undefined ? NOT_ASKED : await ask(loaded, offered, text);
        return { peer, how, declared, ...cut(noted(said, note)) };
      }),
    );
  });
  return (await Promise.all(answers)).flat();
}

type Said = Pick<PeerAnswer, "outcome" | "text" | "note">;

const NOT_ASKED: Said = { outcome: "not asked", text: "" };

interface Declaration extends Pick<PeerAnswer, "declared" | "note"> {
  /** Nothing if the tool cannot be declared so. */
  readonly tool?: DeclaredTool;
}

function declarationsOf(tool: DeclaredTool): readonly Declaration[] {
  const { name, schema } = tool;
  if (isZod(schema)) return [{ declared: "zod", tool }];
  return [
    { declared: "JSON Schema", tool },
    { declared: "zod", ...converted(name, schema) },
  ];
}

function converted(name: string, schema: JsonSchema): Omit<Declaration, "declared"> {
  try {
    const note = "Its schema is converted with z.fromJSONSchema.";
    return { tool: { name, schema: z.fromJSONSchema(schema) }, note };
  } catch (thrown) {
    return { note: `z.fromJSONSchema cannot read this schema: ${reasonOf(thrown)}` };
  }
}

async function ask(peer: Peer, tool: DeclaredTool, text: string): Promise<Said> {
  const unseen = peer.unseen?.(text);
  if (unseen !== undefined) return notAsked(unseen);
  const offered = await offerThrough((run) => peer.host(tool, run)).catch((thrown: unknown) =>
    reasonOf(thrown),
  );
  if (typeof offered === "string") return notAsked(`It does not take this tool: ${offered}`);
  try {
    const outcome = await offered(text);
    return noted(saidIn(outcome), peer.note?.(tool, outcome));
  } catch (thrown) {
    return { outcome: "ended the run", text: "", note: `It threw: ${reasonOf(thrown)}` };
  }
}

function saidIn(outcome: Outcome): Said {
  switch (outcome.status) {
    case "answered":
      return { outcome: "answered", text: outcome.text };
    case "ran":
      return { outcome: "ran", text: jsonOf(outcome.args) };
    case "silent":
      return { outcome: "ended the run", text: "" };
  }
}

function notAsked(note: string): Said {
  return noted(NOT_ASKED, note);
}

function noted(said: Said, note: string | undefined): Said {
  if (note === undefined) return said;
  return { ...said, note: said.note === undefined ? note : `${said.note} ${note}` };
}

function cut(said: Said): Said {
  const { length } = said.text;
  if (length <= MOST_CHARACTERS) return said;
  const text = said.text.slice(0, MOST_CHARACTERS);
  return noted(
    { ...said, text },
    `These are the first ${MOST_CHARACTERS} of ${length} characters.`,
  );
}

/** What zod makes of arguments need not be JSON. */
function jsonOf(value: unknown): string {
  const written = JSON.stringify(
    value,
    (_, part: unknown) => (typeof part === "bigint" ? String(part) : part),
    2,
  ) as string | undefined;
  return written ?? String(value);
}

function reasonOf(thrown: unknown): string {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return reason.slice(0, MOST_OF_A_REASON);
}
