import { ToolContractError } from "@toolcontract/core";
import type { TableOptions } from "./client.ts";

const PREFIX = "toolcontract_";
// Names longer than 63 bytes are cut by Postgres, and two could become one.
const NAMES = /^(?:[A-Za-z_]\w{0,62}\.)?[A-Za-z_]\w{0,35}$/;

/** The names of tables and functions, quoted. */
export interface TableNames {
  readonly attempts: string;
  readonly accounts: string;
  readonly entries: string;
  readonly doubts: string;
  readonly spent: string;
  readonly reserve: string;
  readonly end: string;
  readonly totals: string;
  readonly sweep: string;
}

/** Reads the option `prefix`; throws a ToolContractError that names the function `where`. */
export function tableNames(where: string, { prefix = PREFIX }: TableOptions): TableNames {
  if (typeof prefix !== "string" || !NAMES.test(prefix)) {
    throw new ToolContractError(
      `${where}: \`prefix\` must be letters, digits and underscores, at most 36, with a schema before a dot if you like, such as "shop.toolcontract_".`,
    );
  }
  const [first = "", second] = prefix.split(".");
  const [schema, start] = second === undefined ? ["", first] : [`"${first}".`, second];
  const named = (name: string): string => `${schema}"${start}${name}"`;
  return {
    attempts: named("attempts"),
    accounts: named("ledger_accounts"),
    entries: named("ledger_entries"),
    doubts: named("ledger_doubts"),
    spent: named("ledger_spent"),
    reserve: named("ledger_reserve"),
    end: named("ledger_end"),
    totals: named("ledger_totals"),
    sweep: named("sweep"),
  };
}
