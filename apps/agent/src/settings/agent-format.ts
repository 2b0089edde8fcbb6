import {
  type FileFormat,
  isSection,
  memberSchema,
  plainName,
  schemaAt,
  TOOLS_FORMAT,
  keysOf,
} from "@toolcontract/config/adapter";
import { SESSION_OPTIONS } from "@toolcontract/session/adapter";
import { AGENT_SECTIONS, agentSchema } from "./agent-schema.ts";
import { insteadOf, SESSION_FILE_OPTIONS } from "./session-table.ts";

const schema = agentSchema(false);

/** An agent's file: the session, models, servers and queues, and the contract's own part. */
export const AGENT_FORMAT: FileFormat = {
  own: {
    ...Object.fromEntries(AGENT_SECTIONS.map((section) => [section, true] as const)),
    ...TOOLS_FORMAT.own,
  },
  schema,
  // They are expanded where they are used, or by the child process.
  isVerbatim: (pointer) =>
    /^\/mcp_servers\/[^/]*\/(?:env|headers)(?:\/|$)/.test(pointer) ||
    TOOLS_FORMAT.isVerbatim(pointer),
  isShown: (pointer) => TOOLS_FORMAT.isShown(pointer) || isPlain(pointer),
  isSecret: (pointer) => !pointer.startsWith("/tools") && !isPlain(pointer),
  keyHint: (pointer) =>
    pointer.startsWith("/tools/") ? TOOLS_FORMAT.keyHint(pointer) : sectionHint(pointer),
  ownerOf: (key) =>
    TOOLS_FORMAT.ownerOf(key) ?? (keyIn("session", key) === undefined ? undefined : "session"),
  ownsCamelCase: true,
  envFiles: "the .ai-agent.env or .env file beside it",
};

/** Numbers, booleans and words of a list hold no secrets; keys, addresses, arguments and headers may. */
function isPlain(pointer: string): boolean {
  const { type, enum: values } = schemaAt(schema, pointer) ?? {};
  return values !== undefined || (type !== undefined && type !== "string" && !isSection({ type }));
}

/** The mappings with fixed keys, as people write their place. */
const PLACES: Readonly<Record<string, string>> = {
  session: "session",
  targets: "a target",
  providers: "a provider",
  mcp_servers: "a server of mcp_servers",
  queues: "a queue",
};

/** What to do about names that other programs use. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["maxtokens", "the key is max_output_tokens"],
  ["reasoningeffort", "the key is reasoning"],
  ["extendedthinking", "the key is reasoning"],
]);

const SERVER_TYPE = "remove it: command or url says which kind of server it is";

function sectionHint(pointer: string): string | undefined {
  const [own = "", ...below] = keysOf(pointer);
  const key = below.at(-1) ?? "";
  const other =
    own === "mcp_servers" && key === "type" ? SERVER_TYPE : OTHER_NAMES.get(plainName(key));
  if (other !== undefined) return other;
  const inCode = Object.keys(SESSION_OPTIONS).find(
    (name) => own === "session" && plainName(name) === plainName(key),
  );
  if (inCode !== undefined && !SESSION_FILE_OPTIONS.has(inCode)) return insteadOf(inCode);
  const home = [own, ...AGENT_SECTIONS].find((section) => keyIn(section, key) !== undefined);
  const found = home && keyIn(home, key);
  return home === own ? `the key is ${found}` : home && `${found} belongs in ${PLACES[home]}`;
}

/** A section's own spelling of a key, if it has it. */
function keyIn(section: string, key: string): string | undefined {
  const outer = schemaAt(schema, `/${section}`);
  const inner = section === "session" ? outer : memberSchema(outer, "");
  const properties = Object.keys(inner?.["properties"] ?? {});
  return properties.find((one) => plainName(one) === plainName(key));
}
