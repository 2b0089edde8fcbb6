import { readMember } from "@toolcontract/core/adapter";
import type { Classification } from "../shared/index.ts";
import { isPathFromArguments } from "./argument-paths.ts";
import { ADAPTIVE, EXTRINSIC, INTRINSIC } from "./by-status.ts";
import { readString } from "./read.ts";

/** What a code or a name says, before `Retry-After` is looked at. */
export type NamedClass = Omit<Classification, "retryAfterMs">;

const ABORTED: NamedClass = { ...EXTRINSIC, error_type: "aborted" };
const TIMEOUT: NamedClass = { ...EXTRINSIC, error_type: "timeout" };

const INTERRUPTED: ReadonlyMap<string, NamedClass> = new Map([
  ["AbortError", ABORTED],
  ["ABORT_ERR", ABORTED],
  ["ERR_CANCELED", ABORTED],
  ["TimeoutError", TIMEOUT],
  ["ETIMEDOUT", TIMEOUT],
  ["ESOCKETTIMEDOUT", TIMEOUT],
]);

/** The network, the name service, a full disk, too many open files. */
const WORLD_FAILED: ReadonlySet<string> = new Set([
  "EADDRNOTAVAIL",
  "EBUSY",
  "EAI_AGAIN",
  "EAI_FAIL",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EDQUOT",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EIO",
  "EMFILE",
  "ENETDOWN",
  "ENETUNREACH",
  "ENFILE",
  "ENOSPC",
  "ENOTCONN",
  "ENOTFOUND",
  "EPIPE",
  "EPROTO",
  "EROFS",
  "ERR_NETWORK",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "ERR_STREAM_PREMATURE_CLOSE",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** undici, TLS, what does not answer in HTTP, and HTTP/2. */
const OF_A_CONNECTION = /^(?:UND_ERR|ERR_SSL|HPE|ERR_HTTP2)_[A-Z0-9_]{1,48}$/;

const FILES: ReadonlySet<string> = new Set([
  "EACCES",
  "EEXIST",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOTDIR",
  "ENOTEMPTY",
  "EPERM",
  "EXDEV",
]);

/** An abort that is not the host's, or a time limit of the tool's own. */
export function byInterruption(error: unknown): NamedClass | undefined {
  return INTERRUPTED.get(errorCodeOf(error)) ?? INTERRUPTED.get(readString(error, "name") ?? "");
}

/** A code that says that the world failed. */
export function byWorldCode(error: unknown): NamedClass | undefined {
  const code = errorCodeOf(error);
  return WORLD_FAILED.has(code) || OF_A_CONNECTION.test(code)
    ? { ...EXTRINSIC, error_type: code }
    : undefined;
}

/** A code of the file system: the model can send another path, but do nothing about a file of the tool's own. */
export function byFileCode(error: unknown, args: unknown): NamedClass | undefined {
  const code = errorCodeOf(error);
  if (!FILES.has(code)) return undefined;
  const paths = [readString(error, "path"), readString(error, "dest")].filter(
    (path): path is string => path !== undefined,
  );
  // Node names no path in some errors, such as EISDIR.
  const repairable = paths.length === 0 || paths.some((path) => isPathFromArguments(path, args));
  const treatment = repairable ? ADAPTIVE : INTRINSIC;
  return { ...treatment, error_type: code };
}

/** `fetch` in Node: `TypeError: fetch failed`; why is in its cause, which a blocked port leaves without a code. */
export function byFailedFetch(error: unknown): NamedClass | undefined {
  if (readString(error, "name") !== "TypeError") return undefined;
  // Node, then Chrome, Safari and Firefox.
  const failed = /^(?:fetch failed|Failed to fetch|Load failed|NetworkError when attempting)/i;
  return failed.test(readString(error, "message") ?? "")
    ? { ...EXTRINSIC, error_type: "fetch_failed" }
    : undefined;
}

const BUGS: ReadonlySet<string> = new Set([
  "AssertionError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "ToolContractError",
  "TypeError",
]);

/** An error that only a mistake in the tool's code throws. */
export function byBug(error: unknown): NamedClass | undefined {
  const name = readString(error, "name") ?? "";
  if (BUGS.has(name)) return { ...INTRINSIC, error_type: name };
  // A validator that refuses data: the arguments, or the tool's own. That cannot be known, so the model is not asked.
  return /(?:^\$?Zod|^Vali|^Traversal|^Schema|Validation)Error$/.test(name)
    ? { ...INTRINSIC, error_type: "invalid_data" }
    : undefined;
}

function errorCodeOf(error: unknown): string {
  const code = readMember(error, "code");
  return typeof code === "string" ? code : "";
}
