import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { SiteFixtures } from "./browser-test.ts";
import { pasteOverAll } from "./paste-over-all.ts";

/** The playground as a user finds it: by roles and names. */
export interface PlaygroundPage {
  readonly page: Page;
  readonly tool: Locator;
  readonly call: Locator;
  readonly message: Locator;
  readonly button: (name: string) => Locator;
  /** Replaces the text of an editor, as by pasting it. */
  readonly write: (editor: Locator, text: string) => Promise<void>;
  /** Waits until the live region says something. */
  readonly reads: (text: RegExp) => Promise<void>;
}

/** Opens the playground and waits for its first message. */
export async function openPlayground(
  open: SiteFixtures["open"],
  { fragment = "", ...options }: BrowserContextOptions & { readonly fragment?: string } = {},
): Promise<PlaygroundPage> {
  const page = await open(`/playground/${fragment === "" ? "" : `#${fragment}`}`, options);
  const playground = playgroundOn(page);
  await playground.reads(/\S/);
  return playground;
}

function playgroundOn(page: Page): PlaygroundPage {
  const message = page.getByRole("status");
  return {
    page,
    tool: page.getByRole("textbox", { name: "Tool", exact: true }),
    call: page.getByRole("textbox", { name: "Call", exact: true }),
    message,
    button: (name) => page.getByRole("button", { name, exact: true }),
    write: (editor, text) =>
      expect
        .poll(async () => {
          await editor.press("ControlOrMeta+a");
          return editor.evaluate(pasteOverAll, text);
        })
        .toBe(true),
    reads: (text) => expect.poll(() => message.textContent()).toMatch(text),
  };
}
