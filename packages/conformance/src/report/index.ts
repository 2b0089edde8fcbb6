export { badgeSvg } from "./badge.ts";
export { compareWithExpected, readExpectedFailures } from "./expected-failures.ts";
export { junitXml } from "./junit.ts";
export { levelOf } from "./tally.ts";
export { scenarioLines, summaryLines } from "./text.ts";
