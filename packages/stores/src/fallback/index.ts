export { type FallbackOptions, withFallback } from "./with-fallback.ts";
