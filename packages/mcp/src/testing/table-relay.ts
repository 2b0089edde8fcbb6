// The stdio relay as a process, with a new gate for each case: node table-relay.ts <command> [arguments]
import type { CaseOptions } from "@toolcontract/conformance";
import { CASES } from "@toolcontract/conformance/cases";
import { createGate, type Gate } from "../gate/index.ts";
import { runStdio } from "../stdio/index.ts";
import {
  BEGIN,
  type CaseGate,
  createCaseGate,
  guardrailsOf,
  NEXT_TURN,
  type Observed,
  OBSERVED,
} from "./table-case.ts";

/** What begins a case; the style of its messages is not in its row. */
interface Begin extends Pick<CaseOptions, "format"> {
  readonly name: string;
}

const idle = createGate();
let current: CaseGate = { gate: idle, nextTurn: () => undefined };
let observed: Observed = { entries: [], escalations: [] };

/** Delegates to the gate of the current case; no call is pending when the case changes. */
const gate: Gate = {
  contract: idle.contract,
  fromClient(message, link) {
    const { id, method, params } = message;
    if (method === BEGIN) {
      const { name, format } = params as Begin;
      // Functions cannot be sent to a process, so it reads them in the table.
      const row = CASES.find((one) => one.name === name);
      const guardrails = row?.guarded && guardrailsOf(row.guarded);
      const seen: Observed = {
        entries: [],
        escalations: [],
        get committed() {
          return guardrails?.store?.state;
        },
      };
      observed = seen;
      const options = {
        ...row?.options,
        ...(format && { format }),
        ...(guardrails && { guardrails }),
      };
      current = createCaseGate(options, "assist", {
        logger: (...entry) => seen.entries.push(entry),
        onEscalation: (escalation) => seen.escalations.push(escalation),
      });
    }
    if (method === NEXT_TURN) {
      current.nextTurn((params as { readonly calls: number }).calls);
      return { kind: "drop" };
    }
    if (method === OBSERVED) {
      return { kind: "answer", message: { jsonrpc: "2.0", id, result: { ...observed } } };
    }
    return current.gate.fromClient(message, link);
  },
  fromServer: (message, link) => current.gate.fromServer(message, link),
  awaits: (link) => current.gate.awaits(link),
  closed: (link) => {
    current.gate.closed(link);
  },
  passOrRefuse: (message) => current.gate.passOrRefuse(message),
  passUnread: (message, link) => current.gate.passUnread(message, link),
  expireLists: () => current.gate.expireLists(),
  unvalidated: () => current.gate.unvalidated(),
  unread: () => current.gate.unread(),
  limits: () => undefined,
};

const [command = "", ...args] = process.argv.slice(2);
const end = await runStdio(
  { input: process.stdin, output: process.stdout },
  {
    command,
    args,
    loadGate: async () => gate,
    maxMessageBytes: 4 * 1024 ** 2,
    graceMs: 1_000,
    errors: undefined,
    onStopping: () => undefined,
  },
);
process.exitCode = end.status === "exited" ? end.code : 1;
