// Builds the site and serves it: `pnpm site`, on the port of `PORT` or the first free one from 4173 on.
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { build, serve } from "vitepress";

const FIRST_PORT = 4_173;
const SITE = resolve(import.meta.dirname, "../..");

const port = process.env["PORT"] ? Number(process.env["PORT"]) : await freePort(FIRST_PORT);
console.log(
  `Building the site, which takes about half a minute. Then: http://localhost:${port}/\n`,
);
await build(SITE);
await serve({ root: SITE, port });

async function freePort(first: number): Promise<number> {
  const probe = createServer().listen(first);
  const isFree = await once(probe, "listening").then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort(first + 1);
  probe.close();
  await once(probe, "close");
  return first;
}
