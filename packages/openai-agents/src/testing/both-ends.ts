import { loadSdk, type Sdk } from "./sdk.ts";

/** For what differs between versions. */
export const newest: Sdk = await loadSdk("0.20");
export const oldest: Sdk = await loadSdk("0.11");
