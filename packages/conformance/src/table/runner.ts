import type { Expect } from "@toolcontract/case-table/run-case";

/** What a test runner brings. */
export interface Runner {
  readonly expect: Expect;
  readonly describe: (name: string, register: () => void) => unknown;
  /** Registers a test; `skip` has the reason if it must not run. */
  readonly test: (name: string, run: () => Promise<void>, skip?: string) => unknown;
}
