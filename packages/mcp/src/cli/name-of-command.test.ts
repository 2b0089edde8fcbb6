import { expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import { runProxy } from "../testing/run-proxy.ts";
import { nameOfCommand } from "./serve.ts";

test.each([
  ["npx -y @acme/files@1.2.0 /home/me", "@acme/files@1.2.0"],
  ["npx.cmd server-files", "server-files"],
  ["uvx mcp-server-git --repository x", "mcp-server-git"],
  ["node /opt/servers/shop.mjs", "shop.mjs"],
  ["node -e source", "source"],
  ["/usr/bin/shop --token hunter2", "shop"],
  ["docker run -i image", "docker"],
  ["npx https://user:hunter2@example.com/x?y", "npx"],
  ["npx", "npx"],
])("the log calls `%s` %s", (line, name) => {
  const [command = "", ...args] = line.split(" ");
  expect(nameOfCommand({ command, args })).toBe(name);
});

test("each line of the log names the server, and a tool that is turned off and not listed", async () => {
  const proxy = runProxy(["--tool", "sub=off", ...script(addServer())]);
  proxy.send(toolCall(1, "add", {}));
  await proxy.answer(1);
  const lines = proxy.errors().trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries.every(({ server }) => server === "node")).toBe(true);
  expect(entries).toContainEqual(
    expect.objectContaining({
      tools: "sub",
      message: "Tools that are turned on or off by name are not in the server's list",
    }),
  );
});
