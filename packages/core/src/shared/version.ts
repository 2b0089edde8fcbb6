/** The version of this package, as OpenTelemetry shows it; `pnpm version-packages` writes it. */
export const VERSION = "0.0.0";
