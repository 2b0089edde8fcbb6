// Opens the hostile links of the tests in an installed Firefox, which speaks WebDriver BiDi by itself:
// FIREFOX=/path/to/firefox node apps/site/src/testing/firefox.ts
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { EMPTY_STATE, encodeLink } from "../playground/state/index.ts";
import { buildSite, DIST } from "./build-site.ts";
import { BREAKING, ENDLESS, FORGING, type HostileCode, SAYING, tryAll } from "./hostile-code.ts";
import { serveSite } from "./serve-site.ts";

const TITLE = "Playground | Toolcontract";
const RUN = "Run the code of this link";
/** How often, and how long apart, in milliseconds, the page is read until it says what it should. */
const TRIES = 150;
const PAUSE = 100;

await buildSite();
const server = await serveSite(DIST);
const profile = mkdtempSync(join(tmpdir(), "firefox-"));
const firefox = spawn(
  process.env["FIREFOX"] ?? "firefox",
  ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile],
  { stdio: ["ignore", "ignore", "pipe"] },
);
let failed = 0;
try {
  const bidi = await connect(await endpoint());
  const reach: HostileCode = [
    "reaches nothing",
    tryAll(server.origin),
    /"origin": "null"(?![^]*reached)/,
  ];
  for (const row of [...FORGING, ...SAYING, ...BREAKING, ...ENDLESS, reach]) {
    const said = await open(bidi, row);
    if (said !== undefined) failed += 1;
    console.log(said === undefined ? `held     ${row[0]}` : `FAILED   ${row[0]}: ${said}`);
  }
} finally {
  firefox.kill();
  await server.close();
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** The address at which Firefox listens, as it writes it. */
async function endpoint(): Promise<string> {
  firefox.once("error", (error) => {
    throw new Error("Firefox does not start; set FIREFOX to its path.", { cause: error });
  });
  for await (const line of createInterface({ input: firefox.stderr })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) return `${address}/session`;
  }
  throw new Error("Firefox ended before it listened.");
}

type Send = (method: string, params: object) => Promise<Readonly<Record<string, unknown>>>;

async function connect(address: string): Promise<Send> {
  const socket = new WebSocket(address);
  await new Promise((opened, refused) => {
    socket.addEventListener("open", opened);
    socket.addEventListener("error", refused);
  });
  const answers = new Map<number, (answer: Readonly<Record<string, unknown>>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Readonly<Record<string, unknown>>;
    answers.get(Number(message["id"]))?.(message);
  });
  let last = 0;
  const send: Send = (method, params) =>
    new Promise((answered) => {
      last += 1;
      answers.set(last, answered);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await send("session.new", { capabilities: {} });
  return send;
}

/** Opens a link and agrees to run its code; returns why the page is not as it should be. */
async function open(
  send: Send,
  [, code, said, call = "{}"]: HostileCode,
): Promise<string | undefined> {
  const tool = { language: "zod", text: code } as const;
  const link = await encodeLink({ ...EMPTY_STATE, tool, call });
  if ("fault" in link) return link.fault;
  const created = await send("browsingContext.create", { type: "tab" });
  const { context } = created["result"] as { readonly context: string };
  const url = `${server.origin}/playground/#${link.fragment}`;
  await send("browsingContext.navigate", { context, url, wait: "complete" });
  const evaluate = async (expression: string): Promise<string> => {
    const target = { context };
    const answer = await send("script.evaluate", { expression, target, awaitPromise: true });
    const { result } = answer["result"] as { readonly result: { readonly value?: unknown } };
    return String(result.value);
  };
  const click = (name: string): string =>
    `(() => { const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === ${JSON.stringify(name)}); button?.click(); return button !== undefined })()`;
  const reads = async (expression: string, wanted: RegExp): Promise<string | undefined> => {
    let text = "";
    for (let tries = 0; tries < TRIES; tries += 1) {
      text = await evaluate(expression);
      if (wanted.test(text)) return undefined;
      await sleep(PAUSE);
    }
    return `it reads ${JSON.stringify(text.slice(0, 200))}`;
  };
  const status = 'document.querySelector("[role=status]")?.textContent';
  const fault =
    (await reads(status, /has not run/)) ??
    (await reads(click(RUN), /true/)) ??
    (said.test("Stopped.") ? await reads(click("Stop"), /true/) : undefined) ??
    (await reads(status, said)) ??
    (await reads("document.title", new RegExp(`^${TITLE.replace("|", "\\|")}$`)));
  await send("browsingContext.close", { context });
  return fault;
}
