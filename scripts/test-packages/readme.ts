import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Installed } from "./install-project.ts";

/** The README of an installed package, and what can be taken from it; what is not there throws. */
export interface Readme {
  /** A fenced block by language and place, the first one unless told otherwise. */
  readonly fence: (language: string, index?: number) => string;
  /** The first group of an expression. */
  readonly match: (expression: RegExp) => string;
}

/** Reads the README that a package's tarball brought. */
export function readmeOf(packageName: string, { folder }: Installed): Readme {
  const page = readFileSync(
    join(folder, "node_modules/@toolcontract", packageName, "README.md"),
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
