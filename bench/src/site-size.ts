// `pnpm bench:site`: what a browser loads for the playground until its engine answers, what on demand, and when the first
// page and the first message are seen on a slow phone.
import { brotliCompressSync } from "node:zlib";
import { type PageTimes, type Transfer, weighSite } from "@toolcontract/site/testing";
import type { Benchmark, Table } from "./benchmark.ts";
import type { Row } from "./row.ts";
import { plainTables } from "./plain-table.ts";

const LIMIT = 400;
const HOME_LIMIT = 150;
/** In milliseconds, on a slow phone. */
const LARGEST_LIMIT = 1_200;
const MESSAGE_LIMIT = 1_500;

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
    const { first, later, times } = await weighSite();
    const kinds = [PAGE, ...KINDS.map(([, kind]) => kind)];
    const sum = total(first, (file) => file.sent);
    return [
      {
        title: "until the engine answers",
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
      ...slowTables(times),
    ];
  },
} satisfies Benchmark;

/** What a slow phone shows when: a processor four times as slow, 1.6 Mbit/s, 150 ms. */
function slowTables(times: readonly PageTimes[]): readonly Table[] {
  const home = total(times.find(({ path }) => path === "/")?.files ?? [], ({ sent }) => sent);
  const rows = (of: (page: PageTimes) => number): readonly Row[] =>
    times.map((page) => ({ name: page.path, value: of(page), unit: "ms" }));
  const within = (limit: number, shown: readonly Row[]) => ({
    words: `${limit.toLocaleString("en")} ms at most`,
    met: shown.every(({ value }) => value <= limit),
  });
  const largest = rows((page) => page.largest);
  const message = rows((page) => page.message);
  return [
    {
      title: "the first page",
      rows: [{ name: "all, gzip", value: home, unit: "kB" }],
      target: { words: `${HOME_LIMIT} kB at most with gzip`, met: home <= HOME_LIMIT },
    },
    {
      title: "a slow phone shows the largest part of the first screen after",
      rows: largest,
      target: within(LARGEST_LIMIT, largest),
    },
    {
      title: "a slow phone shows the first message after",
      rows: message,
      target: within(MESSAGE_LIMIT, message),
    },
  ];
}

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
