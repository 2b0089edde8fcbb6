import type { BrowserContext, Request } from "playwright-core";
import { REPORTS } from "./serve-site.ts";

/**
 * Collects what must not happen on any page of a context: an error in the console, an uncaught error, a crash, anything
 * that the site's policy refuses, a request to another origin.
 */
export function watchContext(context: BrowserContext, origin: string): string[] {
  const faults: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  context.on("weberror", (failure) => faults.push(`uncaught: ${failure.error().message}`));
  context.on("request", (request) => {
    const url = request.url();
    if (url === origin + REPORTS) faults.push(refusal(request));
    else if (isElsewhere(url, origin)) faults.push(`request: ${url}`);
  });
  context.on("page", (page) => {
    page.on("crash", () => faults.push("the page crashed"));
    page.on("websocket", (socket) => faults.push(`request: ${socket.url()}`));
  });
  return faults;
}

/** Whether a fault is that the policy of a page refused something, as the browser reports it or writes it down. */
export function isRefusal(fault: string): boolean {
  return /^refused by |^console: .*(?:Content Security Policy|Content-Security-Policy)/.test(fault);
}

function isElsewhere(url: string, origin: string): boolean {
  // What the sandbox makes a script of has an opaque origin.
  const isBlob = url.startsWith(`blob:${origin}/`) || url.startsWith("blob:null/");
  return new URL(url).origin !== origin && !isBlob;
}

function refusal(request: Request): string {
  const { "csp-report": report } = request.postDataJSON() as {
    readonly "csp-report": Readonly<Record<string, unknown>>;
  };
  const { "effective-directive": directive, "blocked-uri": blocked } = report;
  return `refused by ${String(directive)}: ${String(blocked)}`;
}
