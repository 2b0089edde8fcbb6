export { type Judgement, judgeScenario } from "./judge-scenario.ts";
