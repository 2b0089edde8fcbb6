// A shop whose tools change their state themselves, for adapters that run tools in their own process.
export { describeShop } from "./describe-shop.ts";
export type { ShopHost, ShopRun, Visit } from "./describe-shop.ts";
export { addItem, openBudget, openShop, stage } from "./open-shop.ts";
export type { Shop, ShopCall, ShopKit, ShopTool } from "./open-shop.ts";
