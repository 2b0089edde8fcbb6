import { firstOf, isArray, isErrorStatus, readMember, statusOf } from "@toolcontract/core/adapter";
import type { Classification } from "../shared/index.ts";

/** How a failure is treated, without its name. */
export type Treatment = Omit<Classification, "error_type" | "retryAfterMs">;

/** The world failed: the runtime may try the same call again. */
export const EXTRINSIC: Treatment = { class: "extrinsic", retriable: false };
/** This approach failed: another call may work. */
export const ADAPTIVE: Treatment = { class: "adaptive", retriable: true };
/** The tool's own code is wrong. */
export const INTRINSIC: Treatment = { class: "intrinsic", retriable: false };

/** The caller is not authenticated: no call succeeds until that is changed. */
export const NO_CREDENTIALS: Treatment = { ...EXTRINSIC, terminal: "missing_credentials" };
const UNSUPPORTED: Treatment = { ...EXTRINSIC, terminal: "unsupported_capability" };

/** The statuses of 400 to 499 that no other call of the model changes. */
const HTTP: ReadonlyMap<number, Treatment> = new Map([
  ...[401, 407].map((status) => [status, NO_CREDENTIALS] as const),
  ...[405, 406, 411, 415, 426, 431].map((status) => [status, INTRINSIC] as const),
  // A payment that was declined is about one customer; 403 and 451 are often about one record, which is left to the model.
  ...[402, 408, 425, 429, 449].map((status) => [status, EXTRINSIC] as const),
  [501, UNSUPPORTED],
]);

/** How an HTTP status is treated; undefined if it is not that of an error. */
export function byHttpStatus(status: unknown): Treatment | undefined {
  if (!isErrorStatus(status)) return undefined;
  return HTTP.get(status) ?? (status < 500 ? ADAPTIVE : EXTRINSIC);
}

/** The HTTP status of an error, wherever its library puts it. */
export function httpStatusOf(error: unknown): number | undefined {
  // The last one is the AWS SDK's.
  const parts = [error, readMember(error, "response"), readMember(error, "$metadata")];
  return firstOf(parts, statusOf) ?? numericCodeOf(error);
}

/** Some clients, such as that of Cosmos DB, give the status as a code. */
function numericCodeOf(error: unknown): number | undefined {
  const code = readMember(error, "code");
  return isErrorStatus(code) ? code : undefined;
}

/** The codes of gRPC from 1, and how they are treated. */
const GRPC: readonly (readonly [string, Treatment])[] = [
  ["cancelled", EXTRINSIC],
  ["unknown", EXTRINSIC],
  ["invalid_argument", ADAPTIVE],
  ["deadline_exceeded", EXTRINSIC],
  ["not_found", ADAPTIVE],
  ["already_exists", ADAPTIVE],
  ["permission_denied", ADAPTIVE],
  ["resource_exhausted", EXTRINSIC],
  ["failed_precondition", ADAPTIVE],
  ["aborted", ADAPTIVE],
  ["out_of_range", ADAPTIVE],
  ["unimplemented", UNSUPPORTED],
  ["internal", EXTRINSIC],
  ["unavailable", EXTRINSIC],
  ["data_loss", EXTRINSIC],
  ["unauthenticated", NO_CREDENTIALS],
];

/** How an error of a gRPC client is treated. */
export function byGrpcCode(error: unknown): Omit<Classification, "retryAfterMs"> | undefined {
  const code = readMember(error, "code");
  if (typeof code !== "number" || !isGrpcError(error)) return undefined;
  const [name, treatment] = GRPC[code - 1] ?? [];
  return name === undefined || treatment === undefined
    ? undefined
    : { ...treatment, error_type: `grpc_${name}` };
}

/** Many libraries number their errors; those of gRPC also carry details and the call's metadata. */
function isGrpcError(error: unknown): boolean {
  const details = readMember(error, "details");
  const metadata = readMember(error, "metadata");
  return (
    // A string in @grpc/grpc-js, a list in Connect.
    (typeof details === "string" || isArray(details)) &&
    typeof metadata === "object" &&
    metadata !== null
  );
}
