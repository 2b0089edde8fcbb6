// The stdio relay as a process, with a new gate for each case: node table-relay.ts <command> [arguments]
import type { CaseOptions } from "@toolcontract/case-table";
import { CASES } from "@toolcontract/case-table/cases";
import { currentRecorder, startRecorder } from "@toolcontract/case-table/recording";
import { createGate, type Gate } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import { runStdio } from "../stdio/index.ts";
import {
  BEGIN,
  type CaseGate,
  createCaseGate,
  guardrailsOf,
  NEXT_TURN,
  type Observed,
  OBSERVED,
  RECORDED,
} from "./table-case.ts";

/** What begins a case; the style of its messages is not in its row. */
interface Begin extends Pick<CaseOptions, "format"> {
  readonly name: string;
  /** Whether behaviour is recorded. */
  readonly records: boolean;
}

const idle = createGate();
let current: CaseGate = { gate: idle, nextTurn: () => undefined };
let observed: Observed = { entries: [], escalations: [] };

async function begin({ name, format, records }: Begin): Promise<void> {
  // Functions cannot be sent to a process, so it reads them in the table.
  const row = CASES.find((one) => one.name === name);
  const guardrails = row?.guarded && guardrailsOf(row.guarded);
  const recorder = records ? await startRecorder() : undefined;
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
    ...(recorder && { telemetry: recorder.telemetry }),
  });
}

function answer(id: unknown, result: object): { kind: "answer"; message: Message } {
  return { kind: "answer", message: { jsonrpc: "2.0", id, result } };
}

/** Delegates to the gate of the current case; no call is pending when the case changes. */
const gate: Gate = {
  contract: idle.contract,
  fromClient(message, link) {
    const { id, method, params } = message;
    if (method === BEGIN) {
      return begin(params as Begin).then(() => current.gate.fromClient(message, link));
    }
    if (method === RECORDED) {
      const ending = currentRecorder()?.end() ?? Promise.resolve([]);
      return ending.then((lines) => answer(id, { lines }));
    }
    if (method === NEXT_TURN) {
      currentRecorder()?.nextTurn();
      current.nextTurn((params as { readonly calls: number }).calls);
      return { kind: "drop" };
    }
    if (method === OBSERVED) return answer(id, { ...observed });
    return current.gate.fromClient(message, link);
  },
  fromServer: (message, link) => current.gate.fromServer(message, link),
  lost: (request, link) => current.gate.lost(request, link),
  awaits: (link) => current.gate.awaits(link),
  closed: (link) => {
    current.gate.closed(link);
  },
  passOrRefuse: (message) => current.gate.passOrRefuse(message),
  passUnread: (message, link) => current.gate.passUnread(message, link),
  expireLists: () => current.gate.expireLists(),
  unvalidated: () => current.gate.unvalidated(),
  unread: () => current.gate.unread(),
  invalidResults: () => ({ reported: 0, replaced: 0 }),
  limits: () => undefined,
  reload: (options) => current.gate.reload(options),
  counts: () => current.gate.counts(),
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
