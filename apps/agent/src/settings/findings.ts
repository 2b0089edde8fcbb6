import { nearestName } from "@toolcontract/core/adapter";
import { pointerOf } from "@toolcontract/config/adapter";
import { isMembers, type Members, membersOf, type Merged } from "./merge-layers.ts";

/** A fault of the merged whole, before it has its place in a file. */
export interface Finding {
  readonly pointer: string;
  /** Whether something is not there, or should not be as it is. */
  readonly code: "missing-setting" | "wrong-setting";
  readonly message: string;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
}

/** A provider, target, server or queue. */
interface Entry {
  readonly pointer: string;
  readonly members: Members;
}

/** Finds names that are not defined, and settings that lack others or contradict them. */
export function findingsOf(merged: Merged): readonly Finding[] {
  return [
    ...sessionFindings(merged),
    ...entriesOf(merged, "providers").flatMap(providerFindings),
    ...entriesOf(merged, "mcp_servers").flatMap((entry) => serverFindings(entry, merged)),
    ...entriesOf(merged, "queues").flatMap(queueFindings),
    ...entriesOf(merged, "targets").flatMap((entry) => targetFindings(entry, merged)),
  ];
}

function entriesOf({ value }: Merged, section: string): readonly Entry[] {
  const entries = Object.entries(Object(value[section]) as object);
  return entries.flatMap(([name, members]) =>
    isMembers(members) ? [{ pointer: pointerOf([section, name]), members }] : [],
  );
}

function sessionFindings({ value }: Merged): readonly Finding[] {
  const { output_schema: schema, expected_output_format: format } = membersOf(value["session"]);
  if (schema === undefined || format === "json") return [];
  const message = "output_schema needs the format json: no other format has a schema";
  const hint = "set expected_output_format: json";
  return [{ pointer: "/session/output_schema", code: "wrong-setting", message, hint }];
}

function providerFindings(entry: Entry): readonly Finding[] {
  const { pointer, members } = entry;
  const { type } = members;
  if (type === undefined) {
    const expected = "type: openai, anthropic, openai-compatible or scripted";
    return [{ pointer, code: "missing-setting", message: "The provider has no type", expected }];
  }
  const needs = (owner: string, key: string): readonly Finding[] => {
    if (type !== owner || members[key] !== undefined) return [];
    const message = `A provider of the type ${owner} needs ${key}`;
    return [{ pointer, code: "missing-setting", message }];
  };
  return [
    ...needs("openai-compatible", "base_url"),
    ...needs("scripted", "script"),
    ...(type === "openai" ? [] : surplus(entry, ["api"], "the type openai")),
    ...urlFindings(entry, "base_url"),
  ];
}

function serverFindings(entry: Entry, { layerAt, value }: Merged): readonly Finding[] {
  const { pointer, members } = entry;
  const { command, url, queue } = members;
  if (command === undefined && url === undefined) {
    const message = "The server has neither command nor url";
    const expected = "command for a server over stdio, or url for one over HTTP";
    return [{ pointer, code: "missing-setting", message, expected }];
  }
  if (command !== undefined && url !== undefined) {
    const [first, second] = ["command", "url"].map(
      (key) => layerAt(`${pointer}/${key}`)?.file.layer,
    );
    const message = "The server has both command and url";
    const where =
      first === second ? "" : `: command is in the ${first} layer, url in the ${second} layer`;
    return [{ pointer, code: "wrong-setting", message, hint: `remove one of them${where}` }];
  }
  return [
    ...(command === undefined
      ? surplus(entry, ["args", "env", "inherit_env", "cwd"], "servers with a command")
      : surplus(entry, ["headers"], "servers with a url")),
    ...urlFindings(entry, "url"),
    ...undefinedName(`${pointer}/queue`, queue, { kind: "queue", defined: value["queues"] }),
  ];
}

function queueFindings({ pointer, members }: Entry): readonly Finding[] {
  if (members["concurrent"] !== undefined) return [];
  const expected = "concurrent: how many tools run at once";
  return [{ pointer, code: "missing-setting", message: "The queue has no limit", expected }];
}

function targetFindings({ pointer, members }: Entry, { value }: Merged): readonly Finding[] {
  const { provider: name } = members;
  const defined = value["providers"];
  const unknown = undefinedName(`${pointer}/provider`, name, { kind: "provider", defined });
  if (unknown.length > 0) return unknown;
  const own = pointerOf(["providers", String(name)]);
  const provider = membersOf(membersOf(defined)[String(name)]);
  // The setting of the nearest place counts.
  const places: readonly (readonly [string, Members])[] = [
    [pointer, members],
    [own, provider],
    ["/session", membersOf(value["session"])],
  ];
  const nearest = (key: string) => places.find(([, one]) => one[key] !== undefined);
  const penalty = nearest("repeat_penalty");
  const output = nearest("max_output_tokens")?.[1]["max_output_tokens"];
  return [
    ...(penalty && ["openai", "anthropic"].includes(String(provider["type"]))
      ? [
          {
            pointer: `${penalty[0]}/repeat_penalty`,
            code: "wrong-setting" as const,
            message: "repeat_penalty is for providers of the type openai-compatible only",
            hint: "remove it, or set it in the providers or targets of that type",
          },
        ]
      : []),
    ...windowFindings({ pointer, members }, output),
  ];
}

/** The session's own rule: something of the window must be left for the prompt. */
function windowFindings({ pointer, members }: Entry, output: unknown = 0): readonly Finding[] {
  const {
    context_window: window,
    context_window_buffer_tokens: buffer = Math.ceil(Number(window) / 10),
  } = members;
  if ([window, buffer, output].some((tokens) => typeof tokens !== "number")) return [];
  if (Number(window) - Number(buffer) - Number(output) > 0) return [];
  return [
    {
      pointer: `${pointer}/context_window`,
      code: "wrong-setting",
      message: "The context window leaves no room for a prompt",
      expected: `more than ${Number(buffer) + Number(output)}, which the buffer and the answer (max_output_tokens) take`,
    },
  ];
}

function undefinedName(
  pointer: string,
  value: unknown,
  { kind, defined = {} }: { readonly kind: "queue" | "provider"; readonly defined: unknown },
): readonly Finding[] {
  // A section that is not a mapping is a fault of its own.
  if (typeof value !== "string" || !isMembers(defined)) return [];
  const names = [...(kind === "queue" ? ["default"] : []), ...Object.keys(defined)];
  if (names.includes(value)) return [];
  const shown = [...new Set(names)].slice(0, MAX_NAMES).map((name) => `"${shownName(name)}"`);
  const near = nearestName(value, names);
  return [
    {
      pointer,
      code: "wrong-setting",
      message: `There is no ${kind} "${shownName(value)}"${there(shown)}`,
      hint: near === undefined ? `define it below ${kind}s` : `use "${shownName(near)}"`,
    },
  ];
}

function there(names: readonly string[]): string {
  if (names.length === 0) return ", nor any other";
  return `; there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`;
}

const MAX_NAMES = 20;

/** A name that a user chose, on one line and not too long. */
function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}"]/gu, "?").slice(0, 64);
}

function surplus(
  { pointer, members }: Entry,
  keys: readonly string[],
  whom: string,
): readonly Finding[] {
  return keys
    .filter((key) => members[key] !== undefined)
    .map((key) => {
      const message = `${key} is for ${whom} only`;
      return { pointer: `${pointer}/${key}`, code: "wrong-setting", message, hint: "remove it" };
    });
}

function urlFindings({ pointer, members }: Entry, key: string): readonly Finding[] {
  const { [key]: url } = members;
  if (typeof url !== "string" || (URL.canParse(url) && /^https?:/i.test(url.trim()))) return [];
  const expected = "a URL that begins with http:// or https://";
  return [
    { pointer: `${pointer}/${key}`, code: "wrong-setting", message: "Invalid URL", expected },
  ];
}
