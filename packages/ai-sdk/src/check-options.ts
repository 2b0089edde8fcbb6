import { ToolContractError } from "@toolcontract/core";
import type { ToolSet } from "ai";
import type { AdapterOptions } from "./with-contract-options.ts";

const ADAPTER_OPTIONS: Readonly<Record<keyof AdapterOptions<ToolSet>, true>> = {
  tools: true,
  escalate: true,
  repairToolCall: true,
  stopWhen: true,
  prepareStep: true,
  activeTools: true,
  repairNames: true,
  conversationId: true,
};
const BESIDE_CONTRACT: readonly string[] = ["contract", "scope", "logger"];
const ESCALATE: readonly unknown[] = [undefined, "drop-tool", "stop", "throw"];

/** Tells whether an option is the adapter's own; every other one is the contract's. */
export function isAdapterOption(name: string): boolean {
  return Object.hasOwn(ADAPTER_OPTIONS, name);
}

/** Throws where the adapter's options cannot work, saying how to fix them. */
export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  if (typeof options?.["tools"] !== "object" || options["tools"] === null) {
    throw new ToolContractError("withContract: pass the tools, such as { tools: { read_file } }.");
  }
  const { contract, escalate, stopWhen } = options;
  const [stray] = Object.keys(options).filter(
    (name) => !isAdapterOption(name) && !BESIDE_CONTRACT.includes(name),
  );
  if (contract !== undefined && stray !== undefined) {
    throw new ToolContractError(
      `withContract: pass either a contract or its options, not both; '${stray.slice(0, 64)}' belongs to createContract.`,
    );
  }
  if (!ESCALATE.includes(escalate)) {
    throw new ToolContractError(
      'withContract: option \'escalate\' must be "drop-tool" or "stop" or "throw".',
    );
  }
  if ((escalate === "stop" || escalate === "throw") && stopWhen === undefined) {
    throw new ToolContractError(
      `withContract: escalate "${escalate}" works between the steps of a loop; pass stopWhen too, such as stepCountIs(8).`,
    );
  }
}
