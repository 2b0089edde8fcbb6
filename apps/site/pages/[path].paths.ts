import { linkedPages } from "../src/docs/index.ts";

export default { paths: linkedPages };
