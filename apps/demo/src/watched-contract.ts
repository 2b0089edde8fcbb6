import { currentRecorder, watched } from "@toolcontract/case-table/recording";
import {
  createContract,
  type Contract,
  type ContractOptions,
  type Escalation,
} from "@toolcontract/core";
import type { LoggedEntry } from "./scenario.ts";

/** A contract, and a record of its logs, events and escalations. */
export interface WatchedContract {
  readonly contract: Contract;
  readonly logs: readonly LoggedEntry[];
  /** Events, as JSON. */
  readonly events: readonly string[];
  readonly escalations: readonly Escalation[];
  /** The ids of calls whose JSON was repaired. */
  readonly repaired: ReadonlySet<string>;
}

const EVENTS = [
  "call-admitted",
  "call-repaired",
  "call-rejected",
  "call-escalated",
  "contract-degraded",
] as const;

/** Creates a contract and records its logs, events and escalations. */
export function createWatchedContract(options: ContractOptions): WatchedContract {
  const logs: LoggedEntry[] = [];
  const events: string[] = [];
  const escalations: Escalation[] = [];
  const repaired = new Set<string>();
  const recorder = currentRecorder();
  const contract = watched(
    createContract({
      ...(recorder && { telemetry: recorder.telemetry, clock: () => 0 }),
      ...options,
      logger: (fields, message) => logs.push({ fields, message }),
      onEscalation: (escalation) => escalations.push(escalation),
    }),
  );
  for (const name of EVENTS) {
    contract.on(name, (event) => events.push(JSON.stringify({ name, ...event })));
  }
  contract.on("call-repaired", ({ toolCallId }) => repaired.add(toolCallId));
  return { contract, logs, events, escalations, repaired };
}
