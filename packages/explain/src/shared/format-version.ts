/** The version of the message format and of every machine-readable result. */
export const FORMAT_VERSION = "1.1";
