export { type ScenarioJudgement, judgeScenario } from "./judge-scenario.ts";
