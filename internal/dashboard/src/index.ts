export { WHY_NO_PROMETHEUS } from "./prometheus.ts";
