import { UsageError } from "./failure.ts";

/**
 * Loads the client of a store.
 *
 * @throws UsageError if the package is not installed.
 */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (thrown) {
    if (!isMissingModule(thrown)) throw thrown;
    throw new UsageError(
      `--store needs the package ${name} beside this one: npm install ${name}, or npx -y -p ${name} -p @toolcontract/mcp toolcontract-mcp …`,
    );
  }
}

/** Whether something was thrown because a module is not installed. */
export function isMissingModule(thrown: unknown): boolean {
  const { code } = Object(thrown) as { readonly code?: unknown };
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
}
