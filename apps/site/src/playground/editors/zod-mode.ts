import { autocompletion, type Completion, type CompletionSource } from "@codemirror/autocomplete";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import type { Extension } from "@codemirror/state";
import { chosenByArrow } from "./chosen-by-arrow.ts";

/** JavaScript with zod's names. The parser is large, so this file is loaded when zod is chosen. */
export function zodMode(): Extension {
  return [javascriptLanguage, autocompletion({ ...chosenByArrow, override: [zodCompletion] })];
}

const TYPES = options(
  "string number int boolean null array object strictObject looseObject record tuple union discriminatedUnion enum literal any unknown email url uuid iso.date iso.datetime coerce.number",
);
const METHODS = options(
  "optional nullable nullish default describe meta min max length regex int positive nonnegative multipleOf gt gte lt lte email url uuid startsWith endsWith includes trim array and or refine strict loose partial pick omit extend",
);

function options(names: string): Completion[] {
  return names.split(" ").map((label) => ({ label }));
}

const zodCompletion: CompletionSource = (context) => {
  const word = context.matchBefore(/\.\w*$/);
  if (word === null) return null;
  const before = context.state.sliceDoc(Math.max(0, word.from - 2), word.from);
  const found = /(?:^|[^\w$.])z$/.test(before) ? TYPES : before.endsWith(")") ? METHODS : [];
  return found.length === 0 ? null : { from: word.from + 1, options: found, validFor: /^\w*$/ };
};
