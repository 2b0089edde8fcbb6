import { stemOf, wordsOf } from "./near-name.ts";

const MAX_DESCRIPTION = 2_000;
/** A full stop before a new sentence, or the end of a line. */
const SENTENCE_ENDS = /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?;](?=\s+[\p{Lu}`"'(])|\r?\n/u;

/** What a description says before an example of a value. */
const EXAMPLE =
  /(?:\bsuch as|\be\.\s?g\.?,?|\bfor (?:example|instance),?|\blike|\bexamples?:|\bformat(?:ted)?(?: as| is|:)?|\bin the form(?: of)?|\bex\.|\bi\.\s?e\.?,?)\s*:?\s*[`"'‘“(]?([^\s`"'’”),;]+(?: ?\d[^\s`"'’”),;]*)?)/iu;
/** Words that name a form which no bare number has. */
const FORM =
  /\b(?:rfc[ -]?\d+|iso[ -]?(?:8601|time|date|string|timestamp|format|duration)|y{2,4}[-/.]?mm|hh:mm|mm:ss|cron|durations?|dates?|date-?times?|(?:date|clock|local|start|end|due) ?times?|(?:absolute|relative) times?|time range|human-readable|natural language|with (?:a |its )?units?|including units?|unit suffix|json (?:text|string|object|array)|regular expression|regex|glob|base64|url|uri|email|path)\b/i;
/** What names the form of a number in a text. */
const OF_NUMBERS =
  /\b(?:epoch|unix|in (?:seconds|minutes|hours|days|milliseconds|ms|cents)|digits?|numeric|as an? (?:number|integer)|decimal)\b/i;
const NUMBER = /^[+-]?\d[\d.,]*$/;

/** The sentence of a description that states a form which a bare number does not have; undefined if none does. */
export function statedForm(description: string): string | undefined {
  const text = description.slice(0, MAX_DESCRIPTION);
  return text.split(SENTENCE_ENDS).find(statesForm)?.trim();
}

function statesForm(sentence: string): boolean {
  const [, example] = EXAMPLE.exec(sentence) ?? [];
  if (example !== undefined && /\d/.test(example)) return !NUMBER.test(example);
  if (example !== undefined && FORM.test(sentence)) return true;
  return FORM.test(sentence) && !OF_NUMBERS.test(sentence);
}

/** What people call the characters between values, and those characters. */
const SEPARATORS: readonly (readonly [RegExp, string])[] = [
  [
    /\bcommas?[- ](?:separated|delimited|joined)|(?:separated?|delimited|joined|split)(?: \w+)? (?:by|with|at|on) (?:an? )?commas?\b/i,
    ",",
  ],
  [
    /\bsemi-?colons?[- ](?:separated|delimited|joined)|(?:separated?|delimited|joined|split)(?: \w+)? (?:by|with|at|on) (?:an? )?semi-?colons?\b/i,
    ";",
  ],
  [
    /\b(?:pipes?|bars?)[- ](?:separated|delimited|joined)|(?:separated?|delimited|joined|split)(?: \w+)? (?:by|with|at|on) (?:an? )?(?:vertical )?(?:pipes?|bars?)\b/i,
    "|",
  ],
  [
    /\b(?:spaces?|blanks?|whitespace)[- ](?:separated|delimited|joined)|(?:separated?|delimited|joined|split)(?: \w+)? (?:by|with|at|on) (?:an? )?(?:single )?(?:spaces?|blanks?|whitespace)\b/i,
    " ",
  ],
  [
    /\b(?:new-?lines?|lines?)[- ](?:separated|delimited|joined)|(?:separated?|delimited|joined|split)(?: \w+)? (?:by|with|at|on) (?:an? )?(?:new-?lines?|line breaks?)\b|\bone (?:\w+ )?(?:per|on each) line\b/i,
    "\n",
  ],
];
const SIGN =
  /(?:separated?|delimited|joined|split)(?: \w+)? (?:by|with|at|on) (?:an? |the )?[`"'‘“]?([|,;:/+&]|\\n)[`"'’”]?(?=[\s.,)]|$)/i;

/** The characters that a description wants between several values in one text; undefined if it names none. */
export function statedSeparator(description: string): string | undefined {
  const text = description.slice(0, MAX_DESCRIPTION);
  const [, sign] = SIGN.exec(text) ?? [];
  if (sign !== undefined) return sign === String.raw`\n` ? "\n" : sign;
  return SEPARATORS.find(([words]) => words.test(text))?.[1];
}

/** What holds one text, whatever its lines or words are: to send it in parts replaces each part by the next. */
const CONTENT: ReadonlySet<string> = new Set(
  (
    "content text body message code source script sql command cmd arg argv argument query queries expression statement " +
    "prompt instruction html css markdown xml json yaml template patch diff str string snippet description comment note " +
    "summary input output stdin data payload keystroke sequence regex pattern list"
  ).split(" "),
);
const OF_CONTENT =
  /\b(?:(?:whole|full|new|old|exact|raw) (?:text|content)|(?:text|content|body|source) of|source code|shell|sql|markdown|html|separated|delimited)\b/i;

/** Whether a field takes one text, or by its name several values of a thing: neither can be sent in several calls. */
export function takesOneText(name: string, description: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  const isPlural =
    stemOf(last) !== last &&
    !/(?:status|address|alias|canvas|atlas|bus|gas|basis|analysis|us|is)$/.test(last);
  return (
    isPlural || words.some((word) => CONTENT.has(stemOf(word))) || OF_CONTENT.test(description)
  );
}

const TRUTH = /\b(?:true|false|boolean|flag|yes|no|on|off)\b/i;
/** The names of fields that hold the value of something else, which may be a flag. */
const FLAGS =
  /^(?:value|values?_?to|default(?:_?value)?|flag|enabled?|disabled?|answer|setting|is_?[a-z]+|has_?[a-z]+|should_?[a-z]+|allow_?[a-z]+)$/i;

/** Whether a field of text may be meant to hold a boolean: elsewhere it stands for an id, a path or a name. */
export function mayHoldTruth(name: string, description: string): boolean {
  return TRUTH.test(description) || FLAGS.test(name);
}
