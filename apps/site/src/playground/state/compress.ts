/** Compresses a string; the result has letters, digits, hyphens and underscores only. */
export async function compress(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decompresses what `compress` wrote. Stops reading once the text has more bytes than `maxBytes`.
 *
 * @returns The text; `"damaged"` if it cannot be read, `"large"` if it is too long.
 */
export async function decompress(
  data: string,
  maxBytes: number,
): Promise<{ readonly text: string } | "damaged" | "large"> {
  try {
    const binary = atob(data.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const read = await readAtMost(stream, maxBytes);
    return read === undefined
      ? "large"
      : { text: new TextDecoder("utf-8", { fatal: true }).decode(read) };
  } catch {
    return "damaged";
  }
}

/** Reads a stream; undefined if it has more bytes than `max`, and then the rest is not read. */
async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  max: number,
): Promise<Uint8Array | undefined> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > max) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
  const all = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    all.set(chunk, offset);
    offset += chunk.length;
  }
  return all;
}
