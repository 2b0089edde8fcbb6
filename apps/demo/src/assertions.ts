/** A claim about a scene, and whether it holds. */
export interface Assertion {
  readonly claim: string;
  readonly holds: boolean;
  /** What was found, if it does not hold. */
  readonly found?: string;
}

/** Records a claim about a scene; `found` is shown if it does not hold. */
export type Claim = (claim: string, holds: boolean, found?: unknown) => void;

/** Collects claims, so that a failed one does not hide the next. */
export class Assertions {
  readonly #all: Assertion[] = [];

  readonly claim: Claim = (claim, holds, found) => {
    const shown = found === undefined ? {} : { found: describe(found) };
    this.#all.push({ claim, holds, ...(!holds && shown) });
  };

  get all(): readonly Assertion[] {
    return this.#all;
  }

  get failures(): readonly Assertion[] {
    return this.#all.filter((assertion) => !assertion.holds);
  }
}

function describe(found: unknown): string {
  return typeof found === "string" ? found : (JSON.stringify(found) ?? String(found));
}
