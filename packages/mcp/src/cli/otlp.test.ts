import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";

afterEach(endProxies);

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

/** What a collector receives by OTLP. */
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly traceId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly Attribute[];
      }[];
    }[];
  }[];
}

async function collector() {
  const received: { path: string; header: unknown; traces: Traces }[] = [];
  const server = createServer((request, response) => {
    void json(request).then((traces) => {
      const { url = "", headers } = request;
      received.push({ path: url, header: headers["x-key"], traces: traces as Traces });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { received, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

test("--otlp sends a span for each call, valid and refused, with its parent", async () => {
  const { received, base } = await collector();
  const proxy = startProxy(["--otlp", base, ...script(addServer())], {
    OTEL_SERVICE_NAME: "shop",
    OTEL_EXPORTER_OTLP_HEADERS: "x-key=k1",
  });
  const within = (id: number, args: object): object => {
    const call = toolCall(id, "add", args) as { params: object };
    const _meta = { traceparent: `00-${TRACE}-${SPAN}-01` };
    return { ...call, params: { ...call.params, _meta } };
  };
  proxy.send(within(1, { a: 1, b: 2 }), within(2, { a: "hunter2" }));
  await Promise.all([proxy.answer(1), proxy.answer(2)]);
  proxy.child.stdin?.end();
  expect(await proxy.exited).toBe(0);
  expect(received.map(({ path, header }) => [path, header])).toEqual([["/v1/traces", "k1"]]);
  const [{ resource, scopeSpans } = { resource: undefined, scopeSpans: [] }] =
    received[0]?.traces.resourceSpans ?? [];
  expect(resource?.attributes).toContainEqual({
    key: "service.name",
    value: { stringValue: "shop" },
  });
  const spans = scopeSpans.flatMap((scope) => scope.spans);
  expect(spans.map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId])).toEqual([
    ["execute_tool add", TRACE, SPAN],
    ["execute_tool add", TRACE, SPAN],
  ]);
  const codes = spans.flatMap(({ attributes }) =>
    attributes.filter(({ key }) => key === "toolcontract.error.codes"),
  );
  expect(codes).toHaveLength(1);
  expect(JSON.stringify(received)).not.toContain("hunter2");
});

test("a collector that is away keeps nobody, and calls are answered", async () => {
  const proxy = startProxy(["--otlp", "http://127.0.0.1:2", ...script(addServer())]);
  proxy.send(toolCall(1, "add", { a: 1, b: 2 }));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("3");
  proxy.child.stdin?.end();
  expect(await proxy.exited).toBe(0);
});
