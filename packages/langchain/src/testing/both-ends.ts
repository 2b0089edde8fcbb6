import { isWhole } from "@toolcontract/case-table/whole";
import { type Lab, loadLab } from "./langchain.ts";

/** For what differs between versions: the newest, the LangGraph before it, and the oldest; all, if everything is run. */
export const LABS: readonly Lab[] = [
  await loadLab("newest"),
  await loadLab("previous"),
  ...(isWhole ? [await loadLab("middle")] : []),
  await loadLab("oldest"),
];
