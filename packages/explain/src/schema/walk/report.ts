import type { ErrorCode, Finding, PathSegment } from "../../shared/index.ts";
import { pathOfPlace } from "./place.ts";
import type { SchemaLocation, Visit } from "./walk.ts";

/** A fault of which only the verdict was asked for, so that nothing was written of it but where it is. */
export class BareFault implements Finding {
  readonly code: ErrorCode;
  readonly location: SchemaLocation;
  /** The field that is missing, or is one too many. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, location: SchemaLocation, field: string | undefined) {
    this.code = code;
    this.location = location;
    this.field = field;
  }

  get path(): readonly PathSegment[] {
    const path = pathOfPlace(this.location);
    return this.field === undefined ? path : [...path, this.field];
  }
}

/** Reports a fault; a walk that only judges does not explain it, because that takes longer than finding it. */
export function reportFinding(
  { walk, location, outcome }: Omit<Visit, "schema">,
  code: ErrorCode,
  explain: () => Finding | readonly Finding[],
  field?: string,
): void {
  if (walk.judges) outcome.findings.push(new BareFault(code, location, field));
  else outcome.findings.push(...[explain()].flat());
}
