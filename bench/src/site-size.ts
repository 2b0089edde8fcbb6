// `pnpm bench:site`: what a browser loads for the playground until the first message, and what on demand.
import { brotliCompressSync } from "node:zlib";
import { type Transfer, weighSite } from "@toolcontract/site/testing";
import type { Benchmark, Table } from "./benchmark.ts";
import type { Row } from "./row.ts";
import { plainTables } from "./plain-table.ts";

const LIMIT = 350;

/** The files that are worth a row of their own; the others are the page. */
const KINDS: readonly (readonly [file: RegExp, kind: string])[] = [
  [/\/framework\./, "framework: Vue"],
  [/\/theme\./, "framework: VitePress"],
  [/\/engine\.worker-/, "core and the engine around it, in a worker"],
  [/\/chunks\/index\./, "the playground with its editors"],
];
const PAGE = "page: HTML, styles, icons, list of pages";

const siteSize = {
  name: "site-size",
  about: "what a browser loads for the playground, each file once",
  async run(): Promise<readonly Table[]> {
    const { first, later } = await weighSite();
    const kinds = [PAGE, ...KINDS.map(([, kind]) => kind)];
    const sum = total(first, (file) => file.sent);
    return [
      {
        title: "until the first message",
        rows: [
          ...kinds.flatMap((kind) =>
            rowsFor(
              kind,
              first.filter((file) => kindOf(file) === kind),
            ),
          ),
          ...rowsFor("all", first),
        ],
        target: { words: `${LIMIT} kB at most with gzip`, met: sum <= LIMIT },
      },
      {
        title: "later, when it is asked for",
        rows: later.flatMap(([cause, files]) => rowsFor(cause, files)),
      },
    ];
  },
} satisfies Benchmark;

function kindOf({ path }: Transfer): string {
  return KINDS.find(([file]) => file.test(path))?.[1] ?? PAGE;
}

function rowsFor(name: string, files: readonly Transfer[]): readonly Row[] {
  return [
    { name: `${name}, gzip`, value: total(files, ({ sent }) => sent), unit: "kB" },
    {
      name: `${name}, brotli`,
      value: total(files, ({ body }) => brotliCompressSync(body).length),
      unit: "kB",
    },
  ];
}

function total(files: readonly Transfer[], bytesOf: (file: Transfer) => number): number {
  return files.reduce((sum, file) => sum + bytesOf(file), 0) / 1_000;
}

console.log(plainTables(siteSize, await siteSize.run()));
