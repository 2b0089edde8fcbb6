// `node apps/site/src/playground/examples/write-notion-tool.ts`: writes the tool of the installed server of Notion.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { largestNotionTool } from "./notion-tool.ts";

const json = JSON.stringify(await largestNotionTool(), null, 2);
writeFileSync(join(import.meta.dirname, "notion-tool.json"), `${json}\n`);
