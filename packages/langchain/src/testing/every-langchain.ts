import { isWhole } from "@toolcontract/case-table/whole";
import { type Lab, loadLab } from "./langchain.ts";

/**
 * All supported versions, each with the adapter on its own copy of core, for `describe.each`; only the newest, unless everything
 * is run.
 */
export const LABS: readonly Lab[] = [
  await loadLab("newest"),
  ...(isWhole ? [await loadLab("previous"), await loadLab("middle"), await loadLab("oldest")] : []),
];
