/**
 * The version of the message format and of every machine-readable result.
 *
 * @example
 * ```ts
 * if (stored.version !== FORMAT_VERSION) console.log("of another version");
 * ```
 */
export const FORMAT_VERSION = "1.2";
