/** What a flag's text is read as. */
export type FlagKind =
  | { readonly type: "switch" }
  | { readonly type: "choice"; readonly choices: readonly string[] }
  | { readonly type: "integer"; readonly from: number; readonly to: number }
  | { readonly type: "duration" }
  | { readonly type: "size" }
  | { readonly type: "text"; readonly pattern?: RegExp; readonly wants?: string };

/** A port to listen on. */
export const PORT: FlagKind = { type: "integer", from: 0, to: 65_535 };

/** What switches a flag off that has another value otherwise. */
export const OFF = "off";

/** One flag of the command line; help, environment, README and checks are all made from it. */
export interface Flag {
  readonly kind: FlagKind;
  /** What stands for the value in the help. */
  readonly value?: string;
  /** The default as a user would write it. */
  readonly fallback?: string;
  /** Given several times, it is a list. */
  readonly isList?: true;
  /** `--no-<name>` gives it the value "off". */
  readonly mayBeOff?: true;
  readonly section:
    | "Verdicts"
    | "Attempts"
    | "Message"
    | "Limits"
    | "HTTP"
    | "Logs and metrics"
    | "Configuration";
  readonly help: string;
}

/** The environment variable that stands for a flag. */
export function variableOf(name: string): string {
  return `TOOLCONTRACT_${name.replaceAll("-", "_").toUpperCase()}`;
}
