/** The version of this package, as OpenTelemetry shows it; `pnpm version-packages` writes it. */
export const VERSION = "0.0.0";

/** The version of the message format and of every machine-readable result. */
export const FORMAT_VERSION = "1.1";
