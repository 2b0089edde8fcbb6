import { nearestName } from "@toolcontract/core/adapter";
import { keysOf, plainName, pointerOf } from "../format/index.ts";
import { type ConfigFault, START, writtenPointer } from "../load/index.ts";
import { isMembers, type Members, membersOf, type Merged } from "./merge-layers.ts";

/** A fault of the whole, before it has its place. */
interface Finding {
  /** Where it is shown. */
  readonly pointer: string;
  /** What must be without faults itself for this one to be one; the pointer by default. */
  readonly about?: string;
  readonly code: "missing-setting" | "wrong-setting";
  readonly message: string;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
}

/** Checks what only the merged layers can show: that names are defined and what belongs together is there. */
export function crossChecks(
  merged: Merged,
  faults: readonly ConfigFault[],
): readonly ConfigFault[] {
  const wrong = faults.map(({ path }) => plainPath(path));
  const isSound = ({ pointer, about = pointer }: Finding): boolean => {
    const own = plainPath(about);
    return !wrong.some(
      (path) => `${path}/`.startsWith(`${own}/`) || `${own}/`.startsWith(`${path}/`),
    );
  };
  const findings = [
    ...entriesOf(merged, "providers").flatMap(providerFindings),
    ...entriesOf(merged, "mcp_servers").flatMap((entry) => serverFindings(entry, merged)),
    ...entriesOf(merged, "queues").flatMap(queueFindings),
    ...entriesOf(merged, "targets").flatMap((entry) => targetFindings(entry, merged)),
  ];
  const once = new Map(findings.filter(isSound).map((one) => [one.pointer + one.message, one]));
  return [...once.values()].map((finding) => placed(finding, merged));
}

/** A provider, target, server or queue. */
interface Entry {
  readonly pointer: string;
  readonly members: Members;
}

function entriesOf({ value }: Merged, section: string): readonly Entry[] {
  const entries = Object.entries(Object(value[section]) as object);
  return entries.flatMap(([name, members]) =>
    isMembers(members) ? [{ pointer: pointerOf([section, name]), members }] : [],
  );
}

function providerFindings({ pointer, members }: Entry): readonly Finding[] {
  const { type } = members;
  const lacks = (key: string): Finding => {
    const message = `A provider of the type ${String(type)} needs ${key}`;
    return { pointer, code: "missing-setting", message };
  };
  if (type === undefined) {
    const expected = "type: openai, anthropic, openai-compatible or scripted";
    return [{ pointer, code: "missing-setting", message: "The provider has no type", expected }];
  }
  return [
    ...(type === "openai-compatible" && members["base_url"] === undefined
      ? [lacks("base_url")]
      : []),
    ...(type === "scripted" && members["script"] === undefined ? [lacks("script")] : []),
    ...(type === "openai" ? [] : surplus({ pointer, members }, ["api"], "the type openai")),
    ...urlFindings({ pointer, members }, "base_url"),
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
    const [first, second] = [layerAt(`${pointer}/command`), layerAt(`${pointer}/url`)];
    const layers = `command is in the ${first?.file.layer} layer, url in the ${second?.file.layer} layer`;
    return [
      {
        pointer,
        code: "wrong-setting",
        message: "The server has both command and url",
        hint: first === second ? "remove one of them" : `remove one of them: ${layers}`,
      },
    ];
  }
  return [
    ...(command === undefined
      ? surplus(entry, ["args", "env", "cwd"], "servers with a command")
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

function targetFindings({ pointer, members }: Entry, merged: Merged): readonly Finding[] {
  const providers = membersOf(merged.value["providers"]);
  const { provider: name } = members;
  const defined = merged.value["providers"];
  const unknown = undefinedName(`${pointer}/provider`, name, { kind: "provider", defined });
  if (unknown.length > 0) return unknown;
  const { type } = membersOf(providers[String(name)]);
  if (type === "openai-compatible" || type === "scripted" || type === undefined) return [];
  // The setting of the nearest place counts.
  const places = [pointer, pointerOf(["providers", String(name)]), "/session"];
  const set = places.map((place) => `${place}/repeat_penalty`).find((one) => merged.originOf(one));
  if (set === undefined) return [];
  const message = "repeat_penalty is for providers of the type openai-compatible only";
  const hint = "remove it, or set it in the providers or targets of that type";
  return [{ pointer: set, code: "wrong-setting", message, hint }];
}

function undefinedName(
  pointer: string,
  value: unknown,
  { kind, defined = {} }: { readonly kind: "queue" | "provider"; readonly defined: unknown },
): readonly Finding[] {
  // A section that is no mapping is a fault of its own.
  if (typeof value !== "string" || !isMembers(defined)) return [];
  const names = [...(kind === "queue" ? ["default"] : []), ...Object.keys(defined)];
  if (names.includes(value)) return [];
  const shown = [...new Set(names)].slice(0, MAX_NAMES).map((name) => `"${shownName(name)}"`);
  const near = nearestName(value, names);
  return [
    {
      pointer,
      code: "wrong-setting",
      message: `There is no ${kind} with this name`,
      expected: shown.length === 0 ? `a ${kind} below ${kind}s` : `one of ${shown.join(", ")}`,
      hint: near === undefined ? `define it below ${kind}s` : `use "${shownName(near)}"`,
    },
  ];
}

const MAX_NAMES = 20;

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

/** A finding with the place of what it is about, in the highest layer that sets it. */
function placed(
  { pointer, code, message, expected, hint }: Finding,
  { layerAt }: Merged,
): ConfigFault {
  const { file, reading } = layerAt(pointer) ?? {};
  const place = reading?.tree?.places.get(pointer);
  const expansion = reading?.variables.expansions.get(pointer);
  const advice = expansion ? `change the variable ${expansion.variables.join(" or ")}` : hint;
  return {
    layer: file?.layer ?? "cwd",
    file: file?.path ?? "",
    ...(place ? (code === "missing-setting" ? place.key : place.value) : START),
    path: reading?.tree ? writtenPointer(pointer, reading.tree) : pointer,
    code,
    message,
    ...(expected !== undefined && { expected }),
    ...(advice !== undefined && { hint: advice }),
  };
}

/** A pointer without what differs between spellings of a key. */
function plainPath(pointer: string): string {
  return keysOf(pointer)
    .map((key) => `/${plainName(key)}`)
    .join("");
}

/** A name that a user chose, on one line and not too long. */
function shownName(name: string): string {
  return name.replaceAll(/[\p{Cc}"]/gu, "?").slice(0, 64);
}
