import type { LoadOptions } from "../load-options.ts";

/** What a command may know and where it writes. */
export interface CommandContext extends LoadOptions {
  readonly cwd: string;
  readonly home: string | false;
  /** Writes a line for whoever reads the result. */
  readonly print: (line: string) => void;
  /** Writes a line for whoever watches. */
  readonly warn: (line: string) => void;
}

/** What follows the name of a command. */
export interface CommandArguments {
  /** The file or nothing. */
  readonly path?: string;
  readonly json: boolean;
}
