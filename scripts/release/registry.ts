import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "@toolcontract/free-port";
import { runProcess } from "../test-packages/run-process.ts";

const VERDACCIO = "verdaccio@6.8.0";

/** A registry on loopback, with a user who may publish. */
export interface Registry {
  readonly url: string;
  /** The lines of an `.npmrc` that let npm publish. */
  readonly npmrc: string;
  close(): Promise<void>;
}

/** Starts a registry that keeps our packages in a folder, and has all others from the registry that npm uses. */
export async function startRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder, { recursive: true });
  // A dependency names one by a tag, which mirrors of npm do not have.
  const manifest = { private: true, overrides: { "node-fetch": "^2.7.0" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", VERDACCIO];
  await runProcess({ command: "npm", args: install, cwd: folder, seconds: 300 });
  const upstream = await runProcess({
    command: "npm",
    args: ["config", "get", "registry"],
    cwd: folder,
  });
  const own = "{ access: $all, publish: $authenticated, unpublish: $authenticated }";
  const config = [
    "storage: ./storage",
    "auth: { htpasswd: { file: ./htpasswd } }",
    `uplinks: { npm: { url: "${upstream.trim()}", maxage: 60m, timeout: 120s } }`,
    `packages: { "@toolcontract/*": ${own}, "**": { access: $all, proxy: npm } }`,
    "log: { type: stdout, format: pretty, level: error }",
  ];
  writeFileSync(join(folder, "config.yaml"), `${config.join("\n")}\n`);
  const port = await freePort();
  const bin = join(folder, "node_modules/verdaccio/bin/verdaccio");
  const child = spawn(
    process.execPath,
    [bin, "--config", "config.yaml", "--listen", `127.0.0.1:${port}`],
    { cwd: folder, stdio: ["ignore", "ignore", "inherit"] },
  );
  const url = `http://127.0.0.1:${port}/`;
  await answers(url);
  const token = await signUp(url);
  return {
    url,
    npmrc: `registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`,
    async close() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const isThere = await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    if (tries === 120) throw new Error("The registry does not answer.");
    await wait(500);
  }
}

/** Makes a user as `npm adduser` does, and returns its token. */
async function signUp(url: string): Promise<string> {
  const user = { name: "rehearsal", password: "rehearsal" };
  const response = await fetch(`${url}-/user/org.couchdb.user:${user.name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...user, type: "user", roles: [] }),
  });
  const { token } = (await response.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`The registry refused a user: ${response.status}`);
  return token;
}
