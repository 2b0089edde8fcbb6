import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npmNameOf } from "../published.ts";
import type { Installed } from "./place.ts";

/** Reads parts of an installed package's README; throws if a part is missing. */
export interface Readme {
  /** A fenced block by language and position, by default the first. */
  readonly fence: (language: string, index?: number) => string;
  /** The first group of a regular expression. */
  readonly match: (expression: RegExp) => string;
}

/** Reads the README in a package's tarball. */
export function readmeOf(packageName: string, { folder }: Installed): Readme {
  const page = readFileSync(
    join(folder, "node_modules", npmNameOf(packageName), "README.md"),
    "utf8",
  );
  const found = (text: string | undefined, what: string): string => {
    if (text === undefined) throw new Error(`The README of ${packageName} has no ${what}`);
    return text;
  };
  return {
    fence: (language, index = 0) => {
      const fences = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, "gms"));
      return found([...fences][index]?.[1], `\`${language}\` block number ${index + 1}`);
    },
    match: (expression) => found(expression.exec(page)?.[1], String(expression)),
  };
}
