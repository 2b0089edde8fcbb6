// An installed Firefox, which speaks WebDriver BiDi by itself: npm brings none.
import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { expect } from "vitest";

/** The path of Firefox: `FIREFOX`, or the first that is installed; undefined if there is none. */
export const FIREFOX: string | undefined = process.env["FIREFOX"] ?? installed();

function installed(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const paths = folders.flatMap((folder) =>
    ["firefox", "firefox-esr"].map((name) => join(folder, name)),
  );
  return paths.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A running Firefox. */
export interface Firefox {
  /** Opens a page in a tab of its own, in a window of this size. */
  readonly open: (url: string, size: readonly [number, number]) => Promise<FirefoxTab>;
  readonly close: () => Promise<void>;
}

/** A page in Firefox. */
export interface FirefoxTab {
  /** The value of an expression, as a string. */
  readonly evaluate: (expression: string) => Promise<string>;
  /** Waits until the live region reads so. */
  readonly reads: (text: RegExp) => Promise<void>;
  /** Presses the button with this name, once it is there. */
  readonly click: (name: string) => Promise<void>;
  /** What went wrong on the page: exceptions, and errors that were logged. */
  readonly faults: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts Firefox with a profile of its own. */
export async function launchFirefox(path: string): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), "firefox-"));
  const flags = ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile];
  const firefox = spawn(path, flags, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => firefox.once("close", resolve));
  const failed = new Promise<never>((_, reject) => {
    firefox.once("error", (cause) => {
      reject(new Error("Firefox does not start; set FIREFOX to its path.", { cause }));
    });
  });
  const { send, logged } = await connect(await Promise.race([endpoint(firefox.stderr), failed]));
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  return {
    open: (url, size) => openTab(send, logged, url, size),
    async close() {
      firefox.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The address at which Firefox listens, as it writes it. */
async function endpoint(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) return `${address}/session`;
  }
  throw new Error("Firefox ended before it listened.");
}

type Fields = Readonly<Record<string, unknown>>;
type Send = (method: string, params: object) => Promise<Fields>;

/** What a page logged. */
interface Logged {
  readonly level: string;
  readonly text: string;
  readonly source: { readonly context?: string };
}

async function connect(
  address: string,
): Promise<{ readonly send: Send; readonly logged: readonly Logged[] }> {
  const socket = new WebSocket(address);
  await new Promise((opened, refused) => {
    socket.addEventListener("open", opened);
    socket.addEventListener("error", refused);
  });
  const answers = new Map<number, (answer: Fields) => void>();
  const logged: Logged[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Fields;
    if (message["method"] === "log.entryAdded") logged.push(message["params"] as Logged);
    answers.get(Number(message["id"]))?.(message);
  });
  let last = 0;
  const send: Send = (method, params) =>
    new Promise((answered) => {
      last += 1;
      answers.set(last, answered);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return { send, logged };
}

async function openTab(
  send: Send,
  logged: readonly Logged[],
  url: string,
  [width, height]: readonly [number, number],
): Promise<FirefoxTab> {
  const created = await send("browsingContext.create", { type: "tab" });
  const { context } = created["result"] as { readonly context: string };
  await send("browsingContext.setViewport", { context, viewport: { width, height } });
  await send("browsingContext.navigate", { context, url, wait: "complete" });
  const evaluate = async (expression: string): Promise<string> => {
    const target = { context };
    const answer = await send("script.evaluate", { expression, target, awaitPromise: true });
    const { result } = answer["result"] as { readonly result: { readonly value?: unknown } };
    return String(result.value);
  };
  const click = (name: string): string =>
    `(() => { const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === ${JSON.stringify(name)}); button?.click(); return button !== undefined })()`;
  return {
    evaluate,
    reads: (text) =>
      expect
        .poll(() => evaluate('document.querySelector("[role=status]")?.textContent'))
        .toMatch(text),
    click: (name) => expect.poll(() => evaluate(click(name))).toBe("true"),
    faults: () =>
      logged.flatMap(({ level, source, text }) =>
        level === "error" && source.context === context ? text : [],
      ),
    async close() {
      await send("browsingContext.close", { context });
    },
  };
}
