/** A tool's name as it came: what is not a string is the name of no tool, and is shown as what it is. */
export function givenName(name: unknown): string {
  if (typeof name === "string") return name;
  if (name === undefined) return "";
  try {
    return JSON.stringify(name) ?? typeof name;
  } catch {
    return typeof name;
  }
}
