import { once } from "node:events";
import net, { isIP } from "node:net";
import tls from "node:tls";
import { proxyEnvironment } from "./forward-proxy.ts";

const TIMEOUT_MS = 2_000;

/** Connects to a server and says nothing; resolves to the code of the failure, or to undefined if it can be reached. */
export async function probe({ hostname, port, protocol }: URL): Promise<string | undefined> {
  // Whether a forward proxy reaches it, only a request would show.
  if (proxyEnvironment() !== undefined) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isTls = protocol === "https:";
  const to = { host, port: Number(port) || (isTls ? 443 : 80) };
  const socket = isTls
    ? tls.connect({ ...to, ...(isIP(host) === 0 && { servername: host }) })
    : net.connect(to);
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await once(socket, isTls ? "secureConnect" : "connect", { signal });
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
  } finally {
    socket.on("error", () => undefined).destroy();
  }
}
