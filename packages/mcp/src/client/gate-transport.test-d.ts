import { StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expectTypeOf, test } from "vitest";
import type { Gate } from "../gate/index.ts";
import { gateTransport } from "./index.ts";

declare const gate: Gate;
declare const all: { stdio1: StdioV1; stdio2: StdioV2; http1: HttpV1; http2: HttpV2 };

test("a transport keeps its type", () => {
  expectTypeOf(gateTransport(all.stdio1, gate)).toEqualTypeOf<StdioV1>();
  expectTypeOf(gateTransport(all.stdio2, gate)).toEqualTypeOf<StdioV2>();
  expectTypeOf(gateTransport(all.http1, gate)).toEqualTypeOf<HttpV1>();
  expectTypeOf(gateTransport(all.http2, gate)).toEqualTypeOf<HttpV2>();
  // @ts-expect-error not a transport
  gateTransport({ start: async () => undefined }, gate);
  // @ts-expect-error options are for createGate
  gateTransport(all.stdio2, { maxAttempts: 3 });
});
