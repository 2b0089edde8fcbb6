import { withBase } from "vitepress";
import type { FunctionalComponent } from "vue";

/** A fault as a line of a message names it. */
export interface NamedFault {
  /** `/path`, or `(arguments)`. */
  readonly place: string;
  readonly code: string;
}

const FAULT = /^((?:•|-) )(\/.*?|\((?:arguments|tool)\)) \(((?:VAL|GRD)-\d{3})((?: warning)?\).*)$/;

/** The line above the message of one of several calls. */
const CALL = /^Call (\d+) of \d+: /;

/** The faults that a message names. */
export function faultsIn(message: string): readonly NamedFault[] {
  return message.split("\n").flatMap((line) => {
    const [, , place, code] = FAULT.exec(line) ?? [];
    return place === undefined || code === undefined ? [] : { place, code };
  });
}

/** A message, in which each place leads to the call and each code to its page. */
export const MessageLines: FunctionalComponent<{
  readonly text: string;
  /** Called with the place of a line that the reader chose, and the number of its call. */
  readonly onGo: (place: string, call: number) => void;
}> = ({ text, onGo }) => {
  let call = 1;
  return text.split("\n").map((line, index) => {
    call = Number(CALL.exec(line)?.[1] ?? call);
    const its = call;
    const [, bullet, place, code, rest] = FAULT.exec(line) ?? [];
    const end = index === 0 ? "" : "\n";
    if (place === undefined || code === undefined) return end + line;
    return [
      end + bullet,
      <button type="button" class="pg-place" onClick={() => onGo(place, its)}>
        {place}
      </button>,
      " (",
      <a href={withBase(`/docs/errors/${code}.html`)}>{code}</a>,
      rest,
    ];
  });
};
MessageLines.props = ["text", "onGo"];
