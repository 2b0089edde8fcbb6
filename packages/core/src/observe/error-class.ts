/** Names the class of something thrown, and never what it says: messages quote the data that broke them. */
export function errorClass(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown;
    const name: unknown = thrown.constructor.name;
    return typeof name === "string" && /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? name : "Error";
  } catch {
    // A proxy may refuse to be looked at.
    return "Error";
  }
}
