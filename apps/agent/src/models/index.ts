export { readScript, type ScriptedAnswer } from "./script.ts";
export { createTargets, keysIn, type TargetOptions } from "./targets.ts";
