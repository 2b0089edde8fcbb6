import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExecutionStage } from "@toolcontract/core/stage";
import type { Settings } from "./flags.ts";
import { UsageError } from "./failure.ts";

/** Loads the module of `--guardrails`: what it exports as `guardrails`, or else by default. */
export async function loadGuardrails({
  guardrails: path,
  mode,
}: Settings): Promise<ExecutionStage | undefined> {
  if (path === undefined) return undefined;
  if (mode !== "enforce") {
    throw new UsageError(`--guardrails needs --mode enforce: in mode ${mode} nothing is refused`);
  }
  const exported = await load(path);
  const found = exported["guardrails"] ?? exported["default"];
  if (isStage(found)) return found;
  throw new UsageError(
    `--guardrails ${path} must export what createGuardrails returned, such as: export const guardrails = createGuardrails({ … })`,
  );
}

async function load(path: string): Promise<Readonly<Record<string, unknown>>> {
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
