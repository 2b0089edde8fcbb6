import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const SITE = resolve(import.meta.dirname, "../..");
// git does not see it, and no other user of the machine writes into it.
const CACHE = join(SITE, "node_modules/.cache");
const require = createRequire(import.meta.url);
const PACKAGE = require.resolve("@sparticuz/chromium");
const UNPACK =
  'const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath();';

/** Where the browser lies, and the environment that it needs. */
export interface UnpackedChromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Unpacks the browser of `@sparticuz/chromium`, once for each version. Processes that do so at the same time do not
 * disturb each other: each unpacks into a folder of its own, and the first to finish gives it its name.
 */
export async function unpackChromium(): Promise<UnpackedChromium> {
  const { version } = require(join(dirname(PACKAGE), "../package.json")) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder)) await unpackTo(folder);
  return {
    executablePath: join(folder, "chromium"),
    // Its own libraries, because a bare machine has none.
    env: { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_PATH: join(folder, "fonts") },
  };
}

async function unpackTo(folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const own = mkdtempSync(join(CACHE, "unpacking-"));
  // It unpacks to the temporary folder, and its libraries only where it takes the machine for Amazon's.
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK], {
    cwd: SITE,
    env: { ...process.env, TMPDIR: own, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" },
  });
  writeFileSync(join(own, "fonts/fonts.conf"), fontsConfig(join(folder, "fonts")));
  try {
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** The packaged one names a folder that does not exist here; on a bare machine, its font is the only one. */
function fontsConfig(fonts: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${fonts}</dir>
  <cachedir>${join(fonts, "cache")}</cachedir>
</fontconfig>
`;
}
