import type { ValidationError } from "../validation-error.ts";

const logPaths = new WeakMap<ValidationError, string>();

/** Notes under which path an error is logged, where undeclared names are stars. */
export function setLogPath(error: ValidationError, path: string): void {
  logPaths.set(error, path);
}

/** The path under which an error is logged. */
export function logPathOf(error: ValidationError): string {
  return logPaths.get(error) ?? "*";
}

/** Tells whether core built this error, so that it is sanitised. */
export function isBuilt(error: ValidationError): boolean {
  return logPaths.has(error);
}
