/** The version of the message format and of every machine-readable result (spec NFR-020). */
export const FORMAT_VERSION = "1.0";
