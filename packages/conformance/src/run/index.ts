export {
  type ConformanceOptions,
  type ConformanceReport,
  runConformance,
} from "./run-conformance.ts";
