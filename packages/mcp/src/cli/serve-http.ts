import { once } from "node:events";
import { validateHeaderValue } from "node:http";
import type { Gate } from "../gate/index.ts";
import type { Header, ListeningProxy } from "../http/index.ts";
import type { Plan } from "./command-line.ts";
import { EXIT, UsageError } from "./failure.ts";
import { maxResultBytes } from "./max-result-bytes.ts";
import type { ProxyRun } from "./run.ts";

type HttpPlan = Extract<Plan, { readonly run: "http" }>;

/** Guards a server on Streamable HTTP until a signal ends it. */
export async function serveHttp(
  plan: HttpPlan,
  { log, errors, loadGate, onStopping }: ProxyRun,
): Promise<number> {
  const { settings, upstream } = plan;
  const { host, endpoint } = settings;
  const proxy = await startProxy(plan, await loadGate());
  const [{ isLoopback, probe, unusedProxy }, { onSignal }] = await Promise.all([
    import("../http/index.ts"),
    import("../stdio/index.ts"),
  ]);
  const [first, second] = [new AbortController(), new AbortController()];
  const stopListening = onSignal(() => {
    (first.signal.aborted ? second : first).abort();
  });
  const shown = host.includes(":") ? `[${host}]` : host;
  // Scripts wait for this line, so it does not depend on the log level.
  errors.write(
    `toolcontract-mcp: listening on http://${shown}:${proxy.port}${endpoint} in front of ${upstream.origin}${upstream.pathname} (mode ${settings.mode})\n`,
  );
  const unused = unusedProxy(upstream, process.env);
  if (unused !== undefined) {
    const version = process.version;
    log.warn(`${unused} is not used: NODE_USE_ENV_PROXY=1 lets Node 24.5 use it`, { version });
  }
  void probe(upstream).then((code) => {
    if (code !== undefined) {
      log.warn("The MCP server cannot be reached", { code });
    }
  });
  if (!isLoopback(host) && settings["allow-host"].length === 0) {
    log.warn("The proxy can be reached from other machines by address; --allow-host allows names");
  }
  await once(first.signal, "abort");
  onStopping();
  log.info("The proxy is stopping: calls in flight are still answered");
  await Promise.race([proxy.drain(settings.grace), once(second.signal, "abort")]);
  await proxy.close();
  stopListening();
  return EXIT.ok;
}

async function startProxy({ settings, upstream }: HttpPlan, gate: Gate): Promise<ListeningProxy> {
  const { host, port } = settings;
  const { createUpstream, listen } = await import("../http/index.ts");
  const headers = await headersOf({ settings, upstream });
  try {
    return await listen(
      { host, port },
      {
        gate,
        upstream: createUpstream(upstream),
        endpoint: settings.endpoint,
        headers,
        allowed: { host, hosts: settings["allow-host"], origins: settings["allow-origin"] },
        attemptKey: settings["attempt-key"],
        vary: settings.vary.length === 0 ? undefined : settings.vary,
        maxMessageBytes: settings["max-body"],
        maxResultBytes: maxResultBytes(settings),
        listTimeoutMs: settings["list-timeout"],
      },
    );
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    if (!["EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND"].includes(code)) throw thrown;
    throw new UsageError(
      `cannot listen on --host ${host} --port ${port} (${code}): choose others, or --port 0`,
    );
  }
}

/** The headers that the server gets; throws a UsageError if one cannot be set. */
export async function headersOf({
  settings,
  upstream,
}: Pick<HttpPlan, "settings" | "upstream">): Promise<readonly Header[]> {
  const { isForwarded } = await import("../http/index.ts");
  const set = settings.header.map(headerFlag);
  const unsent = set.find(([name]) => !isForwarded(name));
  if (unsent) throw new UsageError(`--header cannot set ${unsent[0]}: the proxy sets it itself`);
  return [...userOf(upstream), ...set];
}

function headerFlag(text: string): Header {
  const at = text.indexOf(":");
  const name = text.slice(0, at);
  const value = text.slice(at + 1).trim();
  try {
    validateHeaderValue(name, value);
  } catch {
    throw new UsageError(
      `--header ${name} has an invalid value: remove control and non-Latin characters`,
    );
  }
  return [name, value];
}

/** Sends the URL's user and password as basic authentication. */
function userOf({ username, password }: URL): readonly Header[] {
  if (username === "" && password === "") return [];
  const user = [username, password].map(decodedCredential).join(":");
  return [["Authorization", `Basic ${Buffer.from(user).toString("base64")}`]];
}

function decodedCredential(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(
      "--upstream has an unescaped % in its user or password: write %25 instead",
    );
  }
}
