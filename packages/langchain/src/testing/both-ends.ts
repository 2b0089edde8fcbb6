import { isWhole } from "@toolcontract/case-table/whole";
import { type Lab, loadLab } from "./langchain.ts";

/** For what differs between versions: the newest and the oldest; all, if everything is run. */
export const LABS: readonly Lab[] = [
  await loadLab("1.5.14"),
  ...(isWhole ? [await loadLab("1.2.39")] : []),
  await loadLab("1.0.6"),
];
