import { expect, test } from "vitest";
import tool from "./notion-tool.json" with { type: "json" };
import { largestNotionTool } from "./notion-tool.ts";

test("the tool of Notion's server is what the installed server lists", async () => {
  expect(tool).toEqual(await largestNotionTool());
});
