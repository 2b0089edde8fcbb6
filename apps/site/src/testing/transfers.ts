import type { Page, Response } from "playwright-core";

/** A file that the browser fetched. */
export interface Transfer {
  readonly path: string;
  /** Bytes of the body as they were sent, compressed. */
  readonly bytes: number;
}

/** Collects the files that a page and its workers fetch; returns those fetched since it was last asked. */
export function watchTransfers(page: Page): () => Promise<readonly Transfer[]> {
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
  return () =>
    Promise.all(
      responses
        .splice(0)
        .filter((response) => response.url().startsWith("http"))
        .map(async (response) => {
          const { "content-length": bytes } = await response.allHeaders();
          return { path: new URL(response.url()).pathname, bytes: Number(bytes) };
        }),
    );
}
