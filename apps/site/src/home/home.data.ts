import { type HomeData, homeData } from "./home-data.ts";

declare const data: HomeData;
export { data };

// VitePress runs this once for a build; the page gets what it returns.
export default { load: homeData };
