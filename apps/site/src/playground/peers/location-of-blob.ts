/**
 * Gives a worker that was made of a `blob:` another location. `@cfworker/json-schema`, which LangChain and the MCP SDK
 * load, makes a URL of the worker's location, and fails if that is a `blob:`.
 */
export function replaceBlobLocation(scope: { location?: Pick<Location, "protocol"> }) {
  const { location } = scope;
  if (location?.protocol !== "blob:") return;
  Object.defineProperty(scope, "location", { value: new URL("https://sandbox.invalid/") });
}
