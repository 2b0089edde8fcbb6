import type { Complaint } from "../reading/complaint.ts";

/** The one change that a complaint asks for. */
export type Fix =
  | { readonly kind: "rename"; readonly from?: string; readonly to: string }
  | { readonly kind: "use"; readonly value: unknown }
  | {
      readonly kind:
        | "parse"
        | "wrap"
        | "remove"
        | "fill"
        | "drop-unknown"
        | "deduplicate"
        | "convert";
    };

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const RENAME = new RegExp(`rename (it|${QUOTED}) to (${QUOTED})`);
const USE = new RegExp(`\\buse (${QUOTED}|-?\\d[\\d.eE+-]*|true|false)`);
const UNQUOTED = /\bsend (\S+) without quotes/;

/** Reads which change a complaint asks for, in whichever words a library asks for it. */
export function readFix({ words }: Complaint): Fix {
  const [, from, to] = RENAME.exec(words) ?? [];
  if (from !== undefined && to !== undefined) {
    const old = from === "it" ? {} : { from: JSON.parse(from) as string };
    return { kind: "rename", ...old, to: JSON.parse(to) as string };
  }
  const literal = USE.exec(words)?.[1] ?? UNQUOTED.exec(words)?.[1];
  if (literal !== undefined) return { kind: "use", value: JSON.parse(literal) as unknown };
  if (/itself, not a JSON string/.test(words)) return { kind: "parse" };
  if (/put it in an array/.test(words)) return { kind: "wrap" };
  if (/leave it out/.test(words)) return { kind: "remove" };
  if (/[Uu]nknown field|[Uu]nrecognized key|additional propert|unexpected property/.test(words))
    return { kind: "drop-unknown" };
  if (/missing|required propert|received undefined|Required/.test(words)) return { kind: "fill" };
  if (/duplicate|all different|unique/i.test(words)) return { kind: "deduplicate" };
  return { kind: "convert" };
}
