import { type Place, descriptionOf, namedTypes } from "../shared/index.ts";

/** Whether a field takes any string. */
export function isFreeString({ node }: Place): boolean {
  const types = namedTypes(node);
  const isText =
    types.includes("string") && types.every((type) => type === "string" || type === "null");
  return (
    isText &&
    ["enum", "const", "pattern", "format"].every((keyword) => !Object.hasOwn(node, keyword))
  );
}

const LEAD =
  /(?:\b(?:one of|any of|either|must be|should be|can be|may be|allowed(?: values?)?(?: are| is)?|valid(?: values?| options?)?(?: are| is)?|possible(?: values?)?(?: are| is)?|supported(?: values?)?(?: are| is)?|accepted(?: values?)?(?: are| is)?|options?(?: are| is)?|values?(?: are| is)?|choices?(?: are| is)?)\s*[:=]?\s*[([]?\s*|[(:]\s*)(?=["'`“‘\w])/gi;
const ITEM = /^(?:["'`“‘]([^"'`“”‘’\n]{1,40})["'`”’]|([\w][\w./+-]{0,39}))/;
const GAP = /^\s*(?:,\s*(?:or|and)?\s+|,|\/|\||\bor\b\s*|\band\b\s*|\s+or\s+|\s+and\s+)\s*/i;
// Ordinary words of a sentence are no values, unless they are quoted.
const WORDS = new Set(
  (
    "a an the and or of to in on for with be is are was it this that not if e.g i.e etc any all some more used using " +
    "when which only also than then as at by from into its your use"
  ).split(" "),
);

/** The values that a description lists, such as `one of: "asc", "desc"`; undefined if it lists none. */
export function listedValues(node: Place["node"]): readonly string[] | undefined {
  const text = descriptionOf(node).slice(0, 2_000);
  for (const lead of text.matchAll(LEAD)) {
    const isNamed = /[a-z]/i.test(lead[0]);
    const values = valuesAt(
      text.slice(lead.index + lead[0].length),
      isNamed && /[:=([]\s*$/.test(lead[0]),
    );
    if (values && (isNamed || values.length > 2)) return values;
  }
  return undefined;
}

function valuesAt(text: string, isIntroduced: boolean): readonly string[] | undefined {
  const values: string[] = [];
  let quoted = 0;
  let rest = text;
  for (let item = ITEM.exec(rest); item; item = ITEM.exec(rest)) {
    const value = item[1] ?? item[2]?.replace(/[.:;]+$/, "") ?? "";
    if (item[1] !== undefined) quoted += 1;
    else if (WORDS.has(value.toLowerCase())) return undefined;
    values.push(value);
    rest = rest.slice(item[0].length);
    const gap = GAP.exec(rest);
    if (!gap || values.length > 50) break;
    rest = rest.slice(gap[0].length);
  }
  if (new Set(values).size !== values.length || values.length < 2) return undefined;
  if (quoted === values.length) return values;
  // What follows unquoted words shows whether they were a list or part of a sentence.
  const isEnd = /^\s*(?:[.);\]\n]|$)/.test(rest);
  return quoted === 0 && isEnd && isIntroduced ? values : undefined;
}

/** Whether a description says that a string is a list. */
export function saysList(node: Place["node"]): boolean {
  return /\b(?:comma|semicolon|pipe|space|newline|line)s?[- ](?:separated|delimited)\b|\b(?:separated|delimited|split|joined)\s+(?:by|with)\s+(?:an?\s+)?(?:["'`]?[,;|]["'`]?|commas?|semicolons?|pipes?|spaces?|newlines?)|\bCSV (?:list|string) of\b/i.test(
    descriptionOf(node),
  );
}

/** Formats that descriptions name, and the keyword that says the same. */
const FORMATS: readonly (readonly [pattern: RegExp, format: string])[] = [
  [
    /\b(?:ISO[- ]?8601 date[- ]?time|date[- ]?time in ISO|RFC ?3339|ISO[- ]?8601 timestamp|YYYY-MM-DDTHH)/i,
    "date-time",
  ],
  [/\bYYYY-MM-DD\b|\bISO[- ]?8601 date\b(?![- ]?time)/i, "date"],
  [/\b(?:a|the|valid)\s+(?:e-?mail address|e-?mail)\b|^e-?mail(?: address)?\b/i, "email"],
  [/\bUUID\b/i, "uuid"],
  [/\b(?:a|full|valid|absolute|complete)\s+UR[IL]\b/i, "uri"],
  [/\bIPv4\b/, "ipv4"],
];

/** The format that a description names. */
export function namedFormat(node: Place["node"]): string | undefined {
  const text = descriptionOf(node);
  return FORMATS.find(([pattern]) => pattern.test(text))?.[1];
}
