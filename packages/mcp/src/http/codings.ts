import type { IncomingMessage } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isName } from "./headers.ts";

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** The codings that `Content-Encoding` headers name, in their order and without `identity`. */
export function codingsIn(values: readonly string[]): readonly string[] {
  return values
    .flatMap((value) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
}

/** Creates what decodes a body; undefined if it has a coding that is not known, or more than one. */
export function decoderOf([coding, ...others]: readonly string[]): Transform | undefined {
  return others.length > 0 ? undefined : DECODERS.get(coding ?? "")?.();
}

const CODING = "content-encoding";
const OF_CODED_BODY = [CODING, "content-length"];

/**
 * A response as it was before it was encoded, for what must read it: servers, and edges before them, compress unasked. Its body is
 * decoded as it is read. The same response if it is not encoded, or in a way that is not known.
 */
export function decodedResponse(response: IncomingMessage): IncomingMessage {
  const { rawHeaders: raw, headers, statusCode } = response;
  const isOf = (index: number, names: readonly string[]): boolean =>
    names.some((name) => isName(raw[index - (index % 2)] ?? "", name));
  const codings = codingsIn(raw.filter((_, index) => index % 2 === 1 && isOf(index, [CODING])));
  const rawHeaders = raw.filter((_, index) => !isOf(index, OF_CODED_BODY));
  const { [CODING]: _, "content-length": __, ...others } = headers;
  const decoder = decoderOf(codings);
  if (decoder === undefined) return response;
  pipeline(response, decoder, () => undefined);
  // It ends when its last byte is decoded, and is never complete before.
  const head = { rawHeaders, headers: others, statusCode, complete: false };
  return Object.assign(decoder, head) as unknown as IncomingMessage;
}
