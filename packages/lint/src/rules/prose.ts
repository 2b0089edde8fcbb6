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

/** Words before a list of values, of which the ones with a colon leave no doubt. */
const LEADS: readonly RegExp[] = [
  /\b(?:one|any) of(?: the following)?(?: \w+)?\s*:\s*[([]?/gi,
  /\b(?:allowed|valid|possible|supported|accepted|available|permitted|legal)(?:[ -]\w+){0,2}?(?: are| is)?\s*[:=]\s*[([]?/gi,
  /\b(?:options?|values?|choices?|enum)(?: are| is)?\s*[:=]\s*[([]?/gi,
  /\b(?:one of|either|between)\s+[([]?/gi,
  /\b(?:must|should|can|may) be(?: one of| either)?\s*:?\s*[([]?/gi,
  /\b(?:allowed|valid|possible|supported|accepted|available)(?: \w+)? are\s+/gi,
];
/** What is chosen from a few values. */
const CHOICE =
  /\b(?:direction|order|sort|mode|type|kind|status|units?|level|priority|severity|visibility|category|language|style|role|action)\b/i;
const ITEM = /^(?:["'`“‘]([^"'`“”‘’\n]{1,40})["'`”’]|([A-Za-z0-9_][\w./+-]{0,39}))/;
const GAP = /^\s*(?:,\s*(?:or\b|and\b)?\s*|\||\bor\b\s*|\band\b\s*)\s*/i;
const BULLETS = /^\s*[-*•]\s+/;
const END = /^\s*(?:[.);\]\n(]|$)/;
// Words of a sentence are not values, unless they are quoted.
const WORDS = new Set(
  (
    "a an the and or of to in on for with be is are was it its this that these those not if e.g e.g. i.e i.e. etc some more " +
    "when which only also than then as at by from into your their use used using set up at least most empty"
  ).split(" "),
);

/** The values that a description lists, such as `one of: "asc", "desc"`; undefined if it lists none. */
export function valuesInProse(
  node: Place["node"],
  siblings: Place["node"] = {},
): readonly string[] | undefined {
  const text = descriptionOf(node).slice(0, 2_000);
  if (OPEN.test(text)) return undefined;
  const values = listedValues(text);
  if (!values || values.every((value) => TYPES.has(value.toLowerCase()))) return undefined;
  // "either text or path" names other fields.
  if (values.some((value) => Object.hasOwn(siblings, value))) return undefined;
  const known = values.map((value) => value.toLowerCase());
  const isOutside = [...text.matchAll(EXAMPLE)].some(
    ([, example = ""]) => !known.includes(example.trim().toLowerCase()),
  );
  return isOutside ? undefined : values;
}

/** Words that leave a list open. */
const OPEN =
  /\binclud(?:e|es|ing)\b|\bsuch as\b|\betc\b|\bcustom\b|\bor (?:any|another|other|custom)\b|\b(?:use|provide|specify|give|set|pass) either\b|\band (?:more|others)\b|\bamong others\b|\.\.\.|…/i;
/** What a description shows as an example, which is a value, too. */
const EXAMPLE =
  /(?:\bfor example|\be\.g\.|\bexamples?\s*:|例如)[,:]?\s*(?:["'`“‘]([^"'`”’]{1,64})["'`”’]|[A-Za-z0-9_]+)/gi;
const TYPES = new Set(
  "string number integer boolean true false null object array id name".split(" "),
);

function listedValues(text: string): readonly string[] | undefined {
  for (const lead of LEADS)
    for (const match of text.matchAll(lead)) {
      const isIntroduced = /[:=]\s*[([]?$/.test(match[0]) || /one of|either/i.test(match[0]);
      const values = valuesAt(text.slice(match.index + match[0].length), isIntroduced);
      if (values) return values;
    }
  // Inside a longer word it is a part of a template, such as "page.{png|jpeg}".
  const piped =
    /(?<=^|[\s"'`:=]|(?:^|[\s"'`:=])[({[])["'`]?\w[\w-]*["'`]?(?:\s*\|\s*["'`]?\w[\w-]*["'`]?)+(?![\w|])/.exec(
      text,
    );
  if (piped) return valuesAt(piped[0], true);
  const [, choice = ""] =
    /\(([^()\n]{3,120})\)/.exec(text) ?? /:\s*([\w-]+ or [\w-]+)\.?$/.exec(text) ?? [];
  const plain = CHOICE.test(text) ? valuesAt(choice, true) : undefined;
  return plain && choice.length > 0 && !/[^\w\s,|'"`-]/.test(choice) ? plain : undefined;
}

function valuesAt(text: string, isIntroduced: boolean): readonly string[] | undefined {
  const values: string[] = [];
  let quoted = 0;
  const isBulleted = BULLETS.test(text);
  let rest = isBulleted ? text.replace(BULLETS, "") : text.trimStart();
  for (let item = ITEM.exec(rest); item; item = ITEM.exec(rest)) {
    const value = item[1] ?? item[2]?.replace(/[.:;]+$/, "") ?? "";
    if (item[1] !== undefined) quoted += 1;
    else if (WORDS.has(value.toLowerCase()) && !(value.length === 1 && isIntroduced))
      return undefined;
    values.push(value);
    rest = rest.slice(item[1] === undefined ? value.length : item[0].length);
    const gap = isBulleted ? /^[^\n]*\n\s*[-*•]\s*/.exec(rest) : GAP.exec(rest);
    if (!gap || values.length > 50) break;
    rest = rest.slice(gap[0].length);
  }
  if (new Set(values).size !== values.length || values.length < 2) return undefined;
  if (quoted === values.length || (isBulleted && isIntroduced)) return values;
  // What follows unquoted words shows whether they were a list or part of a sentence.
  return quoted === 0 && isIntroduced && END.test(rest) ? values : undefined;
}

/** Whether a description says that a string is a list. */
export function saysList(node: Place["node"]): boolean {
  return descriptionOf(node)
    .split(/(?<=[.!?])\s+/)
    .some(
      (sentence) =>
        LIST.test(sentence) && !/\b(?:not|never|don't|without|instead of)\b/i.test(sentence),
    );
}

const LIST =
  /\b(?:comma|semicolon|pipe|space|newline|line)s?[- ](?:separated|delimited)\b|\b(?:separated|delimited|split|joined)\s+(?:by|with)\s+(?:an?\s+)?(?:["'`]?[,;|]["'`]?|commas?|semicolons?|pipes?|spaces?|newlines?)|\bCSV (?:list|string) of\b|\bone per line\b|\bJSON(?:[- ]encoded)? (?:array|list)\b|\bstringified (?:array|list)\b/i;

/** Formats that descriptions name, and the keyword that says the same. */
const FORMATS: readonly (readonly [pattern: RegExp, format: string])[] = [
  [
    /\b(?:ISO[- ]?8601 date[- ]?time|date[- ]?time in ISO|RFC ?3339|ISO[- ]?8601 timestamp|YYYY-MM-DDTHH)/i,
    "date-time",
  ],
  [/\bYYYY-MM-DD\b|\bISO[- ]?8601 date\b(?![- ]?time)/i, "date"],
  [/\b(?:a|the|valid)\s+(?:e-?mail address|e-?mail)\b|^e-?mail(?: address)?\b/i, "email"],
  [/^(?:\w+ ){0,4}UUID\b|\(UUID\)|\bUUID format\b/i, "uuid"],
  [/\b(?:a|full|valid|absolute|complete)\s+UR[IL]\b(?![- ]?encoded)/i, "uri"],
  [/\bIPv4\b/, "ipv4"],
];

/** The format that a description names. */
export function namedFormat(node: Place["node"]): string | undefined {
  const text = descriptionOf(node);
  // Another form is allowed, or this one is not.
  if (/\b(?:or|either|not|never)\b/i.test(text)) return undefined;
  return FORMATS.find(([pattern]) => pattern.test(text))?.[1];
}
