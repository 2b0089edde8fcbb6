/** What stands in the place of a secret, everywhere. */
export const REDACTED = "[redacted]";
