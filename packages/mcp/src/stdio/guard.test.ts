import { afterEach, describe, expect, test } from "vitest";
import { addServer, HELLO, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";
import { runProxy } from "../testing/run-proxy.ts";

afterEach(endProxies);

test("a call before any list: the gate requests the schema itself, unseen by the client", async () => {
  const proxy = runProxy(script(addServer()));
  proxy.send(...HELLO, toolCall(1, "add", { a: 1, b: "one" }), toolCall(2, "add", { a: 1, b: 2 }));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toContain("/b (VAL-002)");
  expect((await proxy.answer(2)).result?.content?.[0]?.text).toBe("3");
  expect(proxy.output().toString()).not.toContain('"tools":[');
});

/** What servers may run although it is not a plain call. */
const REFUSED = [
  ["the method twice", 1, '"method":"tools/call","method":"ping"'],
  ["the method twice, in another case", 2, '"Method":"tools/call","method":"ping"'],
  ["the parameters twice", 3, '"method":"tools/call","params":{"name":"add"}'],
] as const;

test("each spelling of a call is found, or is refused", async () => {
  const proxy = runProxy(script(addServer()));
  const params = '"params":{"name":"add","arguments":{"a":1,"b":2}}';
  for (const [what, id, members] of REFUSED) {
    proxy.send(`{"jsonrpc":"2.0","id":${id},${members},${params}}`);
    const { error } = await proxy.answer(id);
    expect([what, error?.message]).toEqual([
      what,
      "Refused by the proxy: a name occurs twice in one object.",
    ]);
  }
  proxy.send(
    `[${JSON.stringify(toolCall(4, "add", {}))}]`,
    `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"add","arguments":{"a":NaN}}}`,
    String.raw`{"jsonrpc":"2.0","id":6,"method":"tools\/call","params":{"name":"add","arguments":{}}}`,
    String.raw`{"jsonrpc":"2.0","id":7,"\u006dethod":"\u0074ools/c\u0061ll","params":{"name":"add","arguments":{}}}`,
    toolCall(8, "add", { a: 1, b: 2 }),
  );
  for (const id of [6, 7]) expect((await proxy.answer(id)).result?.isError).toBe(true);
  expect((await proxy.answer(8)).result?.content?.[0]?.text).toBe("3");
  const nameless = proxy
    .output()
    .toString()
    .split("\n")
    .filter((line) => line.includes('"id":null,"error":{"code":-32'));
  expect(nameless).toEqual([
    expect.stringContaining("Refused by the proxy: a batch must not hold tool calls"),
    expect.stringContaining("Refused by the proxy: the message is not valid JSON"),
  ]);
});

test("300 calls at once: each good one runs, each bad one is answered", async () => {
  const proxy = runProxy(script(addServer()));
  const ids = Array.from({ length: 300 }, (_, id) => id);
  proxy.send(...ids.map((id) => toolCall(id, "add", { a: id, b: id % 2 === 0 ? 1 : "one" })));
  const answers = await Promise.all(ids.map(async (id) => proxy.answer(id)));
  const texts = answers.map(({ result }) => result?.content?.[0]?.text ?? "");
  expect(texts.filter((text, id) => id % 2 === 0 && text === String(id + 1))).toHaveLength(150);
  expect(texts.filter((text) => text.includes("VAL-002"))).toHaveLength(150);
});

test("--unwrap-strings forwards the array that the model sent as a string", async () => {
  const listing = addServer({
    onList:
      'reply(m, { tools: [{ name: "sort", inputSchema: { properties: { of: { type: "array" } } } }] })',
    onCall: "reply(m, { content: [{ text: JSON.stringify(m.params.arguments) }] })",
  });
  const proxy = runProxy(["--unwrap-strings", ...script(listing)]);
  proxy.send(toolCall(1, "sort", { of: "[2,1]" }));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe('{"of":[2,1]}');
});

describe("a held call", () => {
  const silent = addServer({ onList: "", onCall: 'reply(m, { content: [{ text: "ran" }] })' });

  test("is forwarded if the list does not arrive in time", async () => {
    const proxy = runProxy(["--list-timeout", "100ms", ...script(silent)]);
    proxy.send(toolCall(1, "add", {}));
    expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("ran");
  });

  test("that the client cancels never reaches the server, and neither does the cancellation", async () => {
    const proxy = runProxy(["--list-timeout", "300ms", ...script(silent)]);
    const cancellation = { jsonrpc: "2.0", method: "notifications/cancelled" };
    proxy.send(
      toolCall(1, "add", {}),
      { ...cancellation, params: { requestId: 1 } },
      toolCall(2, "add", {}),
    );
    await proxy.answer(2);
    expect(proxy.output().toString().trim().split("\n")).toHaveLength(1);
  });

  test("is not lost when the client ends its input", async () => {
    const proxy = runProxy(["--list-timeout", "200ms", ...script(silent)]);
    proxy.send(toolCall(1, "add", {}));
    proxy.endInput();
    expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("ran");
    // On a busy machine the server may not end by itself before it gets SIGTERM.
    expect([0, 143]).toContain(await proxy.exited);
  });

  test("whose list arrives late: the late answer is still hidden from the client", async () => {
    const late = addServer({
      onList: "setTimeout(() => { reply(m, { tools: [tool] }); reply({ id: 'after' }, {}) }, 300)",
      onCall: 'reply(m, { content: [{ text: "ran" }] })',
    });
    const proxy = runProxy(["--list-timeout", "100ms", ...script(late)]);
    proxy.send(toolCall(1, "add", {}));
    await proxy.answer("after");
    expect(proxy.output().toString().trim().split("\n")).toHaveLength(2);
  });
});

test("garbage in the server's output is passed on and does no harm", async () => {
  const noisy = `process.stdout.write("Listening!\\n\\u0000{]\\n[1,"); ${addServer({
    onList: 'write("tools/list came\\n{" ); reply(m, { tools: [tool] })',
  })}`;
  const proxy = runProxy(script(noisy));
  proxy.send(toolCall(1, "add", { a: 1 }));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toContain("VAL-001");
  expect(proxy.output().toString()).toContain("Listening!\n\u0000{]\n[1,tools/list came\n{\n");
});

test("a server that crashes while a call is held ends the proxy with its code", async () => {
  const proxy = runProxy(script(addServer({ onList: "process.exit(9)" })));
  proxy.send(toolCall(1, "add", {}));
  expect(await proxy.exited).toBe(9);
});

test("a request over the size limit is forwarded, and answers given meanwhile are written between lines", async () => {
  const onCall = "reply(m, { content: [{ text: String(JSON.stringify(m).length > 2e6) }] })";
  const counting = addServer({ onCall }).replace("tools/call", "tasks/call");
  const proxy = runProxy(["--max-body", "1mb", ...script(counting)]);
  proxy.send(toolCall(1, "add", { a: 1 }));
  await proxy.answer(1);
  const request = toolCall(2, "add", { a: "x".repeat(3_000_000) });
  const long = JSON.stringify({ ...request, method: "tasks/call" });
  proxy.send(long);
  proxy.send(toolCall(3, "add", { a: 1 }));
  expect((await proxy.answer(2)).result?.content?.[0]?.text).toBe("true");
  expect((await proxy.answer(3)).result?.isError).toBe(true);
});

test("a client that reads nothing slows the server down instead of filling our memory", async () => {
  const flood = `
    let written = 0;
    const line = "x".repeat(100_000) + "\\n";
    const more = () => { while (process.stdout.write(line)) written += line.length; process.stdout.once("drain", more); };
    more();
    setTimeout(() => { console.error("written " + written); process.exit(0) }, 700);`;
  const proxy = startProxy(script(flood));
  proxy.child.stdout?.pause();
  await expect.poll(() => proxy.errors()).toContain("written");
  proxy.child.stdout?.resume();
  await proxy.exited;
  expect(Number(/written (\d+)/.exec(proxy.errors())?.[1])).toBeLessThan(8_000_000);
});
