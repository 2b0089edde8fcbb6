import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createLineWriter } from "./lines.ts";

function written(): { readonly stream: Writable; readonly chunks: string[] } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { stream, chunks };
}

const line = (text: string) => ({ bytes: Buffer.from(`${text}\n`), ends: true });

test("what a task writes leaves in one write, in its order", () => {
  const { stream, chunks } = written();
  const writer = createLineWriter(stream);
  writer.together(() => {
    writer.relay(line("a"));
    writer.relay({ bytes: Buffer.from("b"), ends: false });
    writer.insert(line("c").bytes);
    writer.relay(line("b"));
  });
  writer.relay(line("d"));
  expect(chunks).toEqual(["a\nbb\nc\n", "d\n"]);
});

test("of many lines, eight at a time leave in one write, so that their reader can begin", () => {
  const { stream, chunks } = written();
  const writer = createLineWriter(stream);
  writer.together(() => {
    for (let index = 0; index < 20; index += 1) {
      writer.relay(line(`${index}`));
      if (index === 10) expect(chunks).toHaveLength(1);
    }
  });
  expect(chunks.map((chunk) => chunk.split("\n").length - 1)).toEqual([8, 8, 4]);
});

test("a large piece is not copied, and what came before it leaves before it", () => {
  const { stream, chunks } = written();
  const writer = createLineWriter(stream);
  const large = "x".repeat(100_000);
  writer.together(() => {
    writer.relay(line("a"));
    writer.relay(line(large));
    writer.relay(line("b"));
  });
  expect(chunks).toEqual(["a\n", `${large}\n`, "b\n"]);
});

test("what was written before the end of the stream arrives before it, also if the task fails", () => {
  const { stream, chunks } = written();
  const writer = createLineWriter(stream);
  const fail = (): void => {
    writer.relay(line("a"));
    throw new Error("fault");
  };
  expect(() => writer.together(fail)).toThrow("fault");
  writer.together(() => {
    writer.relay(line("b"));
    writer.end();
  });
  expect(chunks).toEqual(["a\n", "b\n"]);
  expect(stream.writableEnded).toBe(true);
});
