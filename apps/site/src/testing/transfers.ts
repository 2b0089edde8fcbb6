import type { Page, Response } from "playwright-core";

/** A file that the browser fetched. */
export interface Transfer {
  readonly path: string;
  /** The body, not compressed. */
  readonly body: Buffer;
  /** Bytes of the body as they were sent, compressed. */
  readonly sent: number;
}

/** Collects the files that a page and its workers fetch; returns those that are new since it was last asked. */
export function watchTransfers(page: Page): () => Promise<readonly Transfer[]> {
  const responses = new Map<string, Response>();
  const told = new Set<string>();
  page.on("response", (response) => {
    const { protocol, pathname } = new URL(response.url());
    // A worker made from a blob is a string of the page.
    if (protocol !== "blob:") responses.set(pathname, response);
  });
  return () => {
    const fresh = [...responses].filter(([path]) => !told.has(path));
    for (const [path] of fresh) told.add(path);
    return Promise.all(fresh.map(([path, response]) => transferOf(path, response)));
  };
}

async function transferOf(path: string, response: Response): Promise<Transfer> {
  const { "content-length": sent } = await response.allHeaders();
  return { path, body: await response.body(), sent: Number(sent) };
}
