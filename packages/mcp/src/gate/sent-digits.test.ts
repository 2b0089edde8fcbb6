import { expect, test } from "vitest";
import { gatedServer, serverOf, textOf } from "../testing/gated-server.ts";
import { type Message, readMessage } from "../wire/index.ts";

const open: Message = {
  name: "open",
  inputSchema: {
    type: "object",
    properties: { at: { type: "integer", maximum: 50 }, id: { type: "integer" } },
  },
};

function read(args: string): Message {
  const params = `{"name":"open","arguments":${args}}`;
  const text = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}`;
  const reading = readMessage(Buffer.from(text));
  return reading.kind === "message" ? reading.message : {};
}

test.each<[string, RegExp | string, readonly string[]]>([
  ['{"at":36028797018963971}', "Actual: 36028797018963971", []],
  // The server gets the digits of the other number, which is not a fault.
  ['{"at":51,"id":36028797018963971}', "Actual: 51", ["/id"]],
  ['{"at":4111111111111111111}', "Expected: integer at most 50", ["4111111111111111168"]],
])("a message shows the digits that were sent: %s", async (args, shown, hidden) => {
  const server = gatedServer(serverOf([open]));
  await server.request({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  const text = textOf(await server.request(read(args)));
  expect(text).toContain(shown);
  for (const one of hidden) expect(text).not.toContain(one);
});
