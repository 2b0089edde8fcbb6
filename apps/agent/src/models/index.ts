export { readScript, type ScriptedAnswer } from "./script.ts";
export { createTargets, type TargetOptions } from "./targets.ts";
