import { jsonPointer } from "@toolcontract/core/adapter";
import { type Complaint, childOf } from "@toolcontract/corrections";

/** Reads the complaints in a message. */
export type ReadText = (text: string) => readonly Complaint[];

const HEAD = /^[•-] (.+?) \(VAL-\d{3}(?: \w+)?\): (.*)$/;
const ECHO =
  /^(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[{].*?[\]}])(?: \([^)]*\))?; (?=expected |use |send |put |leave |rename )/;

/** Reads the contract's messages in both styles. */
export const readContract: ReadText = (text) => {
  const complaints: { pointer: string; lines: string[] }[] = [];
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    const [, place, rest] = HEAD.exec(line) ?? [];
    if (place !== undefined && rest !== undefined) {
      const words = rest.replace(ECHO, "").replace(/; got .*?(?=; |$)/, "");
      open = [words.replace(/, got \w+$/, "")];
      for (const pointer of placesIn(place)) complaints.push({ pointer, lines: open });
    } else if (line.startsWith("  ")) {
      if (!line.startsWith("  Actual: ")) open?.push(line.trim());
    } else if (line !== "") open = undefined;
  }
  return complaints.map(({ pointer, lines }) => ({ pointer, words: lines.join("\n") }));
};

/** The places of a bullet: `/a, /b`, or `/list/0 to /list/4`. */
function placesIn(place: string): readonly string[] {
  if (place === "(arguments)") return [""];
  return place.split(/, (?=\/)/).flatMap((part) => {
    const [, list = "", from, to] = /^(.*)\/(\d+) to .*\/(\d+)$/.exec(part) ?? [];
    if (from === undefined) return [part];
    const count = Number(to) - Number(from) + 1;
    return Array.from({ length: count }, (_, at) => `${list}/${Number(from) + at}`);
  });
}

/** Reads ajv's `data/a must be string, data must …`, also behind a host's first words. */
export const readAjv: ReadText = (text) => {
  const [, list = ""] = /(?:^|: )(data[/ ][^]*)$/.exec(text) ?? [];
  return list.split(/, (?=data[/ ])/).flatMap((part) => {
    const [, pointer = "", words = ""] = /^data(\/\S*)? (must .*)$/.exec(part) ?? [];
    return placedAtKeys({ pointer, words });
  });
};

/** Reads the sentences of ajv-human-errors: `The value at /a must be …`. */
export const readHumanAjv: ReadText = (text) =>
  text.split(/\.(?: |$)(?=The |$)/).flatMap((sentence) => {
    const [, pointer = "", words = ""] =
      /^The (?:root value|value at (\/\S*)) (.*)$/.exec(sentence) ?? [];
    return placedAtKeys({ pointer, words });
  });

/** Reads zod's issues as JSON, which the AI SDK sends after the arguments. */
export const readZodJson: ReadText = (text) => {
  const at = text.indexOf("Error message: [");
  if (at === -1) return [];
  try {
    const issues = JSON.parse(text.slice(at + "Error message: ".length)) as readonly Issue[];
    return issues.flatMap((issue) => complaintsOf(issue, []));
  } catch {
    return [];
  }
};

interface Issue {
  readonly message: string;
  readonly path: readonly (string | number)[];
  readonly errors?: readonly (readonly Issue[])[];
}

function complaintsOf(
  { message, path, errors = [] }: Issue,
  before: readonly string[],
): readonly Complaint[] {
  const keys = [...before, ...path.map(String)];
  const at = jsonPointer(keys);
  const inside = errors.flatMap((variant, index) =>
    variant
      .flatMap((issue) => complaintsOf(issue, keys))
      .map((complaint) => ({ ...complaint, variant: { at, index } })),
  );
  return inside.length > 0 ? inside : placedAtKeys({ pointer: at, words: message });
}

/** Reads zod's issues as LangChain writes them: a line with a cross, then one with the place. */
export const readZodPretty: ReadText = (text) =>
  [...text.matchAll(/^✖ (.*)(?:\n {2}→ at (.*))?$/gm)].flatMap(([, words = "", path = ""]) =>
    placedAtKeys({ pointer: pointerOfDotted(path), words }),
  );

/** Reads zod's issues as MCP SDK v1 writes them: a line `words at path` each. */
export const readMcpV1: ReadText = (text) =>
  afterHead(text)
    .split("\n")
    .flatMap((line) => {
      const [, words = line, path = ""] = /^(.*) at ((?:[^\s:"]|\["[^"]*"\])+)$/.exec(line) ?? [];
      return placedAtKeys({ pointer: pointerOfDotted(path), words });
    });

const NEXT_ISSUE =
  /, (?=(?:[^\s:"]+: )?(?:Invalid|Unrecognized|Too (?:big|small)|Required|Array items|Expected))/;

/** Reads zod's issues as MCP SDK v2 writes them: `path: words`, separated by commas. */
export const readMcpV2: ReadText = (text) =>
  afterHead(text).split(NEXT_ISSUE).flatMap(readPathAndWords);

function afterHead(text: string): string {
  return /Invalid arguments for tool .*?: ([^]*)$/.exec(text)?.[1] ?? "";
}

/** Reads the list in Mastra's JSON: `- path: words`. */
export const readMastra: ReadText = (text) => {
  try {
    const { message = "" } = JSON.parse(text) as { readonly message?: string };
    const [list = ""] = message.split("\n\nProvided arguments:");
    return list
      .split("\n")
      .filter((line) => line.startsWith("- "))
      .flatMap((line) => readPathAndWords(line.slice(2)));
  } catch {
    return [];
  }
};

function readPathAndWords(part: string): readonly Complaint[] {
  const [, path = "", words = part] = /^([^\s:"]+): (.*)$/.exec(part) ?? [];
  return placedAtKeys({ pointer: path === "root" ? "" : pointerOfDotted(path), words });
}

const SEGMENT = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g;

/** Converts a path such as `items[0].name` or `items.0.name` to a JSON Pointer. */
function pointerOfDotted(path: string): string {
  const keys = [...path.matchAll(SEGMENT)].map(
    ([, quoted, index, name]) => quoted ?? index ?? name ?? "",
  );
  return jsonPointer(keys);
}

const UNRECOGNIZED = /[Uu]nrecognized keys?(?: in object)?: (.+)$/;
/** Words that name a key but are reported at the object around it. */
const OF_KEY: readonly RegExp[] = [
  /must have required property '(.+?)'/,
  /is missing the required field '(.+?)'/,
  /unexpected property, (.+?), which is not/,
];

/** Moves a complaint that names keys to the places of these keys, one each; drops an empty one. */
function placedAtKeys(complaint: Complaint): readonly Complaint[] {
  const { pointer, words } = complaint;
  if (words === "") return [];
  const key = OF_KEY.map((pattern) => pattern.exec(words)?.[1]).find((name) => name !== undefined);
  const list = UNRECOGNIZED.exec(words)?.[1];
  if (key === undefined && list === undefined) return [complaint];
  const keys =
    key === undefined
      ? [...(list ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, name = ""]) => name)
      : [key];
  return keys.map((name) => ({ ...complaint, pointer: childOf(pointer, name) }));
}
