import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";

const LONG = "x".repeat(10 * 1024 * 1024);

/** Messages that typed clients and servers lose, renumber or change; none is the gate's business. */
const TORTURE: readonly (string | Buffer)[] = [
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"id":2,"method":"custom/method","jsonrpc":"2.0","params":{"deep":[[[[1]]]]}}',
  '{"jsonrpc":"2.0","id":3,"method":"x/y","params":[1,2,3]}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"4","method":"ping","extra":{"top":"level"}}',
  '[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"resources/list"}]',
  "[]",
  '{"jsonrpc":"2.0","id":7,"result":{"big":123456789012345678901234567890,"tiny":1e-400}}',
  '{"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"no","data":null}}',
  '{"jsonrpc":"2.0","id":8,"result":{},"error":{}}',
  '{"jsonrpc":"1.0","id":9,"method":"ping"}',
  '{"method":"no/version"}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":0.1}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never sent"}}',
  '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
  '{"jsonrpc":"2.0","id":10,"method":"tools\\/call","params":{"name":"off","arguments":{"a":1}}}',
  '{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"off","arguments":{"a":1.0}}}',
  '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"off","without":"id"}}',
  '{"jsonrpc":"2.0","id":12,"method":"sampling/createMessage","params":{}}',
  '{ "jsonrpc" : "2.0" ,\t"id" : 13 , "method" : "spaces" }',
  '{"jsonrpc":"2.0","id":14,"method":"windows"}\r',
  '{"jsonrpc":"2.0","id":15,"method":"twice","method":"twice","params":{"__proto__":{"a":1}}}',
  '{"jsonrpc":"2.0","id":16,"params":{"text":"snow ☃ 👩‍👩‍👧 \\ud83d \\u0000 e\u0301"}}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x00, 0x80, 0x22, 0x7d]),
  "Server listening on port 3000 (a banner, not JSON)",
  '{"jsonrpc":"2.0","id":17,"method":"resources/read","par',
  "",
  "null",
  `{"jsonrpc":"2.0","id":18,"result":{"tools":"${LONG}"}}`,
];

afterEach(endProxies);

/** Writes what it gets to one file and the content of another to its output. */
const RECORDER = `
  const { createReadStream, createWriteStream } = require("node:fs");
  process.stdin.pipe(createWriteStream(process.argv[1]));
  createReadStream(process.argv[2]).pipe(process.stdout, { end: false });`;

test.each(["ends in a line feed", "ends inside a line"])(
  "the torture stream passes byte for byte, both ways, when it %s",
  async (end) => {
    const lines = TORTURE.flatMap((line) => [Buffer.from(line), Buffer.from("\n")]);
    const stream = Buffer.concat(end === "ends inside a line" ? lines.slice(0, -1) : lines);
    const folder = mkdtempSync(join(tmpdir(), "toolcontract-"));
    const [received, sent] = [join(folder, "received"), join(folder, "sent")];
    writeFileSync(sent, stream);
    const proxy = startProxy([
      // It answers none of the requests, and a busy machine needs time to pass the stream on.
      "--grace",
      "2s",
      "--tool",
      "off=off",
      ...script(RECORDER, received, sent),
    ]);

    for (let at = 0; at < stream.length;) {
      // Cuts inside lines and inside characters.
      const size = at < 8_192 ? 1 + ((randomBytes(1)[0] ?? 0) % 64) : 1_000_000;
      proxy.child.stdin?.write(stream.subarray(at, at + size));
      at += size;
    }
    proxy.child.stdin?.end();

    expect(await proxy.exited).toBe(0);
    const relayed = proxy.output();
    expect(relayed.subarray(0, stream.length).equals(stream)).toBe(true);
    // Calls that nobody answered within the grace end with an error, unless that would be inside a line.
    const more = relayed.subarray(stream.length).toString().trim().split("\n").filter(Boolean);
    expect(more.filter((line) => !line.includes("the outcome of this call is unknown"))).toEqual(
      [],
    );
    expect(readFileSync(received).equals(stream)).toBe(true);
  },
);
