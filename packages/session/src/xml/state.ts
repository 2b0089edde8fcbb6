import { ToolContractError } from "@toolcontract/core";
import type { XmlState } from "../shared/index.ts";

/** What a run in XML begins with. */
export interface XmlStart {
  /**
   * Eight hex digits. Give that of an earlier run to go on with its slots.
   *
   * @default random
   */
  readonly nonce?: string;
  /** Whether all calls are tags, or only the final report. */
  readonly mode: "xml" | "xml-final";
}

/** Creates what one run keeps; throws for an invalid nonce or mode. */
export function createXmlState({
  nonce = globalThis.crypto.randomUUID().slice(0, 8),
  mode,
}: XmlStart): XmlState {
  if (typeof nonce !== "string" || !/^[0-9a-f]{8}$/.test(nonce)) {
    throw misuseOfXml(
      "nonce must be 8 lower-case hex digits, such as 'deadbeef'; leave it out for a random one",
    );
  }
  if (mode !== "xml" && mode !== "xml-final") {
    throw misuseOfXml("mode must be 'xml' or 'xml-final'; native calls need no XML state");
  }
  const used = new Set<number>();
  let next = 1;
  let [first, offered] = [1, 0];
  let reports = 0;
  const slotForm = new RegExp(String.raw`^${nonce}-(\d{4,9})$`);
  const reportForm = new RegExp(String.raw`^${nonce}-FINAL(?:-(\d{1,9}))?$`);
  const numberOf = (slot: string): number | undefined => {
    const [, digits] = slotForm.exec(slot) ?? [];
    return digits !== undefined && digits === padded(Number(digits)) ? Number(digits) : undefined;
  };
  const reportOf = (id: string): number | undefined => {
    const found = reportForm.exec(id);
    return found ? Number(found[1] ?? 1) : undefined;
  };
  const isWithin = (number: number): boolean => {
    if (number <= offered) return true;
    const isNext = offered > 0 && number === next;
    const last = Array.from({ length: offered + 1 - first }, (_, at) => first + at);
    return isNext && last.every((one) => used.has(one));
  };
  const use = (number: number): void => {
    used.add(number);
    next = Math.max(next, number + 1);
  };
  return {
    nonce,
    mode,
    durations: new Map(),
    owns: (id) => numberOf(id) !== undefined || reportOf(id) !== undefined,
    offer(count) {
      first = next;
      offered = Math.max(offered, next + count - 1);
      return Array.from(
        { length: Math.max(0, count) },
        (_, index) => `${nonce}-${padded(next + index)}`,
      );
    },
    take(slot) {
      const number = numberOf(slot);
      if (number === undefined || number < 1 || !isWithin(number)) return "unknown";
      if (used.has(number)) return "used";
      use(number);
      return "taken";
    },
    takeFinal() {
      reports += 1;
      return reports === 1 ? `${nonce}-FINAL` : `${nonce}-FINAL-${reports}`;
    },
    see(id) {
      const number = numberOf(id);
      if (number !== undefined) use(number);
      reports = Math.max(reports, reportOf(id) ?? 0);
    },
  };
}

function padded(number: number): string {
  return String(number).padStart(4, "0");
}

function misuseOfXml(message: string): ToolContractError {
  return new ToolContractError(`startXml: ${message}.`);
}
