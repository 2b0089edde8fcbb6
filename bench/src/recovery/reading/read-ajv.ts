import type { ReadText } from "./complaint.ts";
import { placeAtKeys } from "./named-keys.ts";

/** ajv's own line: `data/a must be string, data must …`; also behind a host's first words. */
export const readAjv: ReadText = (text) => {
  const [, list = ""] = /(?:^|: )(data[/ ][^]*)$/.exec(text) ?? [];
  return list.split(/, (?=data[/ ])/).flatMap((part) => {
    const [, pointer = "", words = ""] = /^data(\/\S*)? (must .*)$/.exec(part) ?? [];
    return words === "" ? [] : placeAtKeys({ pointer, words });
  });
};

/** The sentences of ajv-human-errors: `The value at /a must be …`. */
export const readHumanAjv: ReadText = (text) =>
  text.split(/\.(?: |$)(?=The |$)/).flatMap((sentence) => {
    const [, pointer = "", words = ""] =
      /^The (?:root value|value at (\/\S*)) (.*)$/.exec(sentence) ?? [];
    return words === "" ? [] : placeAtKeys({ pointer, words });
  });
