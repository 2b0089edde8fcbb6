export { SCENARIOS } from "./scenarios.ts";
