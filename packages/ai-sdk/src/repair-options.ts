import type { ToolCallRepairFunction, ToolSet } from "ai";

/** What the SDK hands to a repair function. */
export type RepairOptions = Parameters<ToolCallRepairFunction<ToolSet>>[0];

/** A tool call of the provider, its arguments as text. */
export type ProviderCall = RepairOptions["toolCall"];
