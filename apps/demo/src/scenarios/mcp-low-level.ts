import { fileURLToPath } from "node:url";
import { onMcp } from "../mcp/on-mcp.ts";
import { callAt } from "../scenario.ts";

const SERVER = fileURLToPath(import.meta.resolve("../mcp/stock-server.ts"));
const LOG = "reserved.log";

/** A server that validates nothing, and what the model reads when its attempts are used up. */
export const mcpLowLevel = onMcp({
  name: "mcp-low-level",
  title: "MCP: a low-level server runs every call; after three failures the proxy says stop",
  story:
    "Servers on the SDK's low-level class publish a schema and never validate calls against it.",
  // The scripted model is faster than any real one: its turns would count as one.
  flags: ["--coalesce", "0"],
  server: () => [SERVER],
  script: [
    { calls: [{ tool: "reserve_stock", args: { sku: "bolts", quantity: "lots" } }] },
    { calls: [{ tool: "reserve_stock", args: { sku: "AB-1234", quantity: 0 } }] },
    { calls: [{ tool: "reserve_stock", args: { sku: "AB-1234", amount: 4 } }] },
    {
      learned: ["Do not call"],
      calls: [{ tool: "list_articles", args: {} }],
    },
    { calls: [], says: "I could not reserve anything. Which article do you mean?" },
  ],
  verify(scene, claim) {
    const { guarded, plain, withProxy } = scene;
    const last = callAt(scene, 3).handled.result.content;
    claim(
      "without the proxy the server reserves lots of bolts",
      plain.read(LOG)?.includes("lots of bolts") === true,
      plain.read(LOG),
    );
    claim("with it nothing was reserved", guarded.read(LOG) === undefined, guarded.read(LOG));
    claim("the third answer asks the model to stop", last.includes("Do not call"), last);
    claim(
      "the connection and the other tools still work",
      withProxy[3]?.isError !== true,
      withProxy[3],
    );
  },
});
