export type { Transfer } from "./transfers.ts";
export type { Weight } from "./weigh-playground.ts";
export { weighSite } from "./weigh-site.ts";
