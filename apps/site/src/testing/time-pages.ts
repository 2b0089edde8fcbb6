import type { Browser } from "playwright-core";
import { type Transfer, watchTransfers } from "./transfers.ts";

/** How a page loads on a slow phone, in milliseconds. */
export interface PageTimes {
  readonly path: string;
  /** The largest part of the first screen. */
  readonly largest: number;
  /** The first message that a reader sees. */
  readonly message: number;
  readonly files: readonly Transfer[];
}

/** What the first message of each page is in. */
const PAGES: readonly (readonly [path: string, message: string])[] = [
  ["/", ".is-contract pre"],
  ["/playground/", ".pg-message"],
];

const LOADS = 5;
/** A processor four times as slow, and a slow mobile network: 1.6 Mbit/s, 150 ms. */
const SLOWER = 4;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** Loads each page a few times as a slow phone does, with nothing in its cache; returns the medians. */
export async function timePages(browser: Browser, origin: string): Promise<readonly PageTimes[]> {
  const times: PageTimes[] = [];
  for (const [path, message] of PAGES) {
    const loads: PageTimes[] = [];
    for (let load = 0; load < LOADS; load += 1)
      loads.push(await timePage(browser, origin, path, message));
    const median = (of: (one: PageTimes) => number): number =>
      loads.map(of).toSorted((a, b) => a - b)[Math.floor(LOADS / 2)] ?? Number.NaN;
    times.push({
      path,
      largest: median(({ largest }) => largest),
      message: median((one) => one.message),
      files: loads[0]?.files ?? [],
    });
  }
  return times;
}

async function timePage(
  browser: Browser,
  baseURL: string,
  path: string,
  message: string,
): Promise<PageTimes> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ baseURL, viewport, isMobile: true });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", NETWORK);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await page.addInitScript({ content: watching(message) });
    const loaded = watchTransfers(page);
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    const seen = await page.evaluate(() => Reflect.get(globalThis, "seen") as Seen);
    return { path, ...seen, files: await loaded() };
  } finally {
    await context.close();
  }
}

type Seen = Pick<PageTimes, "largest" | "message">;

/** A script of the page: it notes when its largest part and its first message are drawn. */
function watching(message: string): string {
  return `globalThis.seen = { largest: NaN, message: NaN };
    new PerformanceObserver((list) => (seen.largest = list.getEntries().at(-1).startTime))
      .observe({ type: "largest-contentful-paint", buffered: true });
    (function look() {
      const text = document.querySelector(${JSON.stringify(message)})?.textContent ?? "";
      if (text.includes("VAL-")) seen.message = performance.now();
      else requestAnimationFrame(look);
    })();`;
}
