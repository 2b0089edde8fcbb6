import { createServer, type Server } from "node:http";
import { createProxy, type ProxyOptions } from "./proxy.ts";

/** A proxy that listens. */
export interface ListeningProxy {
  readonly port: number;
  /** Stops listening and ends what is under way. */
  readonly close: () => Promise<void>;
}

/** Listens for clients; rejects where the address cannot be had. */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  options: ProxyOptions,
): Promise<ListeningProxy> {
  // Streams may be silent and uploads slow for as long as they like; only heads may not.
  const server = createServer(
    { requestTimeout: 0, keepAliveTimeout: 60_000 },
    createProxy(options),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close: async () => {
      await closed(server);
      options.upstream.close();
    },
  };
}

async function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
