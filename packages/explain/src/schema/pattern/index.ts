export { type Pattern, type PatternEngine, compilePattern } from "./compile-pattern.ts";
