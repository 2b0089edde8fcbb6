import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  status as grpcStatus,
} from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import type { Classification } from "../shared/index.ts";
import { adaptive, classOf, extrinsic } from "../testing/index.ts";

describe("HTTP", () => {
  const rows: readonly (readonly [readonly number[], Omit<Classification, "error_type">])[] = [
    [[402, 408, 425, 429, 500, 502, 503, 504, 507, 599], { class: "extrinsic", retriable: false }],
    [[401, 407], { class: "extrinsic", retriable: false, terminal: "missing_credentials" }],
    [[501], { class: "extrinsic", retriable: false, terminal: "unsupported_capability" }],
    [
      [400, 403, 404, 409, 410, 412, 413, 414, 416, 422, 428],
      { class: "adaptive", retriable: true },
    ],
    [[405, 406, 411, 415, 426, 431], { class: "intrinsic", retriable: false }],
    [[418, 423, 451], { class: "adaptive", retriable: true }],
  ];
  test.each(rows.flatMap(([statuses, treatment]) => statuses.map((s) => [s, treatment] as const)))(
    "%i",
    (status, treatment) => {
      const expected = { ...treatment, error_type: `http_${status}` };
      const places = [
        { status },
        { statusCode: status },
        { response: { status } },
        { response: { statusCode: status } },
        { $metadata: { httpStatusCode: status } },
        { cause: Object.assign(new Error("inner"), { status }) },
      ];
      for (const place of places) {
        expect(classOf(Object.assign(new Error("it failed"), place))).toEqual(expected);
      }
    },
  );

  test.each([200, 302, 600, 404.5, "404", Number.NaN])(
    "%j is not the status of an error",
    (status) => {
      expect(classOf(Object.assign(new Error("it failed"), { status }))).toEqual(adaptive("Error"));
    },
  );
});

describe("gRPC", () => {
  const grpc = (code: number, details: unknown = "it failed"): Error =>
    Object.assign(new Error(`${code}: it failed`), { code, details, metadata: new Map() });
  test.each<readonly [number, Classification]>([
    [1, extrinsic("grpc_cancelled")],
    [2, extrinsic("grpc_unknown")],
    [3, adaptive("grpc_invalid_argument")],
    [4, extrinsic("grpc_deadline_exceeded")],
    [5, adaptive("grpc_not_found")],
    [6, adaptive("grpc_already_exists")],
    [7, adaptive("grpc_permission_denied")],
    [8, extrinsic("grpc_resource_exhausted")],
    [9, adaptive("grpc_failed_precondition")],
    [10, adaptive("grpc_aborted")],
    [11, adaptive("grpc_out_of_range")],
    [12, { ...extrinsic("grpc_unimplemented"), terminal: "unsupported_capability" }],
    [13, extrinsic("grpc_internal")],
    [14, extrinsic("grpc_unavailable")],
    [15, extrinsic("grpc_data_loss")],
    [16, { ...extrinsic("grpc_unauthenticated"), terminal: "missing_credentials" }],
  ])("%i", (code, expected) => {
    expect(classOf(grpc(code))).toEqual(expected);
    // Connect lists the details.
    expect(classOf(grpc(code, []))).toEqual(expected);
    expect(classOf(new Error("could not call", { cause: grpc(code) }))).toEqual(expected);
  });

  test.each([0, 17, 5.5])("%d is not a code of gRPC", (code) => {
    expect(classOf(grpc(code))).toEqual(adaptive("Error"));
  });

  test("a number of another library is none", () => {
    expect(classOf(Object.assign(new Error("no"), { code: 5 }))).toEqual(adaptive("Error"));
    expect(classOf(Object.assign(new Error("no"), { code: 5, details: "x" }))).toEqual(
      adaptive("Error"),
    );
  });

  test("what a real client throws", async () => {
    const bytes = (value: Buffer): Buffer => value;
    const path = "/shop/order";
    const definition = {
      path,
      requestStream: false,
      responseStream: false,
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    };
    const server = new Server();
    server.addService(
      { order: definition },
      {
        order: (_: unknown, answer: (error: Partial<ServiceError>) => void) => {
          answer({
            code: grpcStatus.NOT_FOUND,
            details: "no such order",
            metadata: new Metadata(),
          });
        },
      },
    );
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
    const call = (method: string): Promise<unknown> =>
      new Promise((resolve) => {
        client.makeUnaryRequest(method, bytes, bytes, Buffer.alloc(0), (error) => resolve(error));
      });
    expect(classOf(await call(path))).toEqual(adaptive("grpc_not_found"));
    expect(classOf(await call("/shop/cancel"))).toEqual({
      ...extrinsic("grpc_unimplemented"),
      terminal: "unsupported_capability",
    });
    server.forceShutdown();
    expect(classOf(await call(path))).toEqual(extrinsic("grpc_unavailable"));
    client.close();
  });
});
