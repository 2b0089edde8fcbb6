import type { Client as ClientV2 } from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { expectTypeOf, test } from "vitest";
import { guardClient } from "./index.ts";

declare const one: ClientV1;
declare const two: ClientV2;

test("a client keeps its type", () => {
  expectTypeOf(guardClient(one, { server: "s" })).toEqualTypeOf<ClientV1>();
  expectTypeOf(guardClient(two, { server: "s" })).toEqualTypeOf<ClientV2>();
  // @ts-expect-error the entries need the server's name
  guardClient(one, {});
  // @ts-expect-error not a client
  guardClient({ listTools: () => undefined }, { server: "s" });
});
