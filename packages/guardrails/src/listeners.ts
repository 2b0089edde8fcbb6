import {
  type Contract,
  type ContractEventMap,
  ToolContractError,
  createContract,
} from "@toolcontract/core";
import type { StageReports } from "@toolcontract/core/stage";

/** The events of guardrails, which their contracts emit as well. */
type GuardrailEvent = "attempt" | "tool-pressure";

export const EVENTS: readonly GuardrailEvent[] = ["attempt", "tool-pressure"];

/** Adds a listener and returns the function that removes it. */
export type On = <Name extends GuardrailEvent>(
  event: Name,
  listener: (payload: ContractEventMap[Name]) => unknown,
) => () => void;

/** Who hears what a set of guardrails does. */
export interface Listeners {
  readonly on: On;
  /** Emits an event for the guardrails' own listeners. */
  readonly emit: StageReports["emit"];
  /** Called with what a contract that has the guardrails reports with. */
  readonly attach: (reports: StageReports) => void;
  /**
   * What is reported with outside of a contract's call. It has the log of the latest contract, and the listeners of the only one: of
   * several, none is the right one.
   */
  readonly reports: () => StageReports;
}

/** Makes the register; the guardrails' own listeners are those of a contract of which nobody else knows. */
export function createListeners(): Listeners {
  let own: { readonly contract: Contract; readonly reports: StageReports } | undefined;
  let latest: StageReports | undefined;
  let contracts = 0;
  return {
    on(event, listener) {
      if (!EVENTS.includes(event)) {
        throw new ToolContractError(
          `guardrails.on: unknown event. The events are ${EVENTS.join(", ")}.`,
        );
      }
      if (typeof listener !== "function") {
        throw new ToolContractError(
          "guardrails.on: the second argument must be a function (event) => void.",
        );
      }
      own ??= ownChannel();
      return own.contract.on(event, listener);
    },
    emit: (event, payload) => own?.reports.emit(event, payload),
    attach(reports) {
      latest = reports;
      contracts += 1;
    },
    reports() {
      const channel = latest ?? (own ??= ownChannel()).reports;
      const emit: StageReports["emit"] = (event, payload) => {
        if (contracts === 1) latest?.emit(event, payload);
      };
      return { ...channel, emit };
    },
  };
}

/** Nothing is logged, but everything is masked, and a listener that throws disturbs nobody. */
function ownChannel(): { readonly contract: Contract; readonly reports: StageReports } {
  let reports!: StageReports;
  const attach = (given: StageReports): void => {
    reports = given;
  };
  const guardrails = {
    name: "guardrails",
    lanes: { guardrail: 1 },
    events: EVENTS,
    attach,
    check: () => undefined,
  };
  return { contract: createContract({ guardrails, logger: false }), reports };
}
