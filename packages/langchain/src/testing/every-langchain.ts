import { isWhole } from "@toolcontract/case-table/whole";
import { type Lab, loadLab } from "./langchain.ts";

/**
 * All supported versions, each with the adapter on its own copy of core, for `describe.each`; only the newest, unless everything
 * is run.
 */
export const LABS: readonly Lab[] = [
  await loadLab("1.5.14"),
  ...(isWhole ? [await loadLab("1.2.39"), await loadLab("1.0.6")] : []),
];
