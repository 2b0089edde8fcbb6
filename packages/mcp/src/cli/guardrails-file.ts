import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExecutionStage } from "@toolcontract/core/stage";
import type { GateOptions } from "../gate/index.ts";
import type { Settings } from "./flags.ts";
import { UsageError } from "./failure.ts";

/** What the module of `--guardrails` exports. */
export interface GuardrailsFile {
  readonly guardrails?: ExecutionStage;
  /** Grants what the person at the client has agreed to. */
  readonly grant?: NonNullable<GateOptions["grant"]>;
}

/** Loads the module of `--guardrails`: what it exports as `guardrails`, or else by default, and as `grant`. */
export async function loadGuardrails({
  guardrails: path,
  mode,
}: Settings): Promise<GuardrailsFile> {
  if (path === undefined) return {};
  if (mode !== "enforce") {
    throw new UsageError(`--guardrails needs --mode enforce: in mode ${mode} nothing is refused`);
  }
  const exported = await importModuleAt(path);
  const found = exported["guardrails"] ?? exported["default"];
  const { grant } = exported;
  if (grant !== undefined && typeof grant !== "function") {
    throw new UsageError(
      `--guardrails ${path}: \`grant\` must be a function, such as: export const grant = (request) => guardrails.grant(request, { by: "client", expiresIn: 60_000 })`,
    );
  }
  if (isStage(found)) {
    return {
      guardrails: found,
      ...(grant && { grant: grant as NonNullable<GateOptions["grant"]> }),
    };
  }
  throw new UsageError(
    `--guardrails ${path} must export what createGuardrails returned, such as: export const guardrails = createGuardrails({ … })`,
  );
}

async function importModuleAt(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as Readonly<Record<string, unknown>>;
  } catch (thrown) {
    const { ToolContractError } = await import("@toolcontract/core");
    // It says which option of the user's own file is wrong.
    if (ToolContractError.isInstance(thrown)) throw thrown;
    const { code, name } = Object(thrown) as { readonly code?: unknown; readonly name?: unknown };
    const why = typeof code === "string" ? code : String(name);
    throw new UsageError(
      `--guardrails ${path} cannot be loaded (${why}): node ${path} shows what is wrong`,
    );
  }
}

/** Core checks the rest when the contract is created. */
function isStage(value: unknown): value is ExecutionStage {
  return typeof value === "object" && value !== null && "name" in value && "lanes" in value;
}
