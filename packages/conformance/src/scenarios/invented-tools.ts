import type { KitTool } from "../shared/index.ts";

const VERBS = ["list", "read", "create", "update", "archive", "export", "share", "tag"] as const;
const NOUNS = [
  "account",
  "book",
  "contact",
  "device",
  "event",
  "folder",
  "group",
  "invoice",
  "job",
  "label",
  "message",
  "note",
  "order",
  "photo",
  "queue",
  "report",
  "session",
  "task",
  "upload",
  "vote",
  "workspace",
  "year",
  "zone",
  "alarm",
  "branch",
] as const;

/** Tools that nobody calls, as many as an agent with several servers has. */
export function inventedTools(count: number): readonly KitTool[] {
  const names = VERBS.flatMap((verb) => NOUNS.map((noun) => `${verb}_${noun}`));
  return names.slice(0, count).map((name) => ({
    name,
    description: `Does what its name says: ${name.replace("_", " ")}.`,
    parameters: {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      additionalProperties: false,
    },
  }));
}
