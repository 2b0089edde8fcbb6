export type { PageTimes } from "./time-pages.ts";
export type { Transfer } from "./transfers.ts";
export { weighSite } from "./weigh-site.ts";
