// The kit's own parts, for the matrix of this repository: @toolcontract/conformance/adapter. Its names may change between minors.

export { badgeSvg, junitXml } from "./report/index.ts";
export { SCENARIOS } from "./scenarios/index.ts";
export { CLAUSES } from "./shared/index.ts";
