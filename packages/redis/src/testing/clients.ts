import { Redis } from "ioredis";
import { Redis as Valkey } from "iovalkey";
import { createClient } from "redis";

/** A client that is connected. */
export interface Connection {
  readonly sendCommand: (command: string, ...args: string[]) => Promise<unknown>;
  readonly close: () => void;
}

/** The clients that the README names, as it connects them. */
export const CLIENTS: readonly (readonly [
  name: string,
  connect: (url: string) => Promise<Connection>,
])[] = [
  [
    "redis",
    async (url) => {
      const client = createClient({ url, disableOfflineQueue: true });
      client.on("error", () => undefined);
      await client.connect();
      return {
        sendCommand: async (...args) => client.sendCommand(args),
        close: () => client.destroy(),
      };
    },
  ],
  [
    "ioredis",
    async (url) => {
      const client = new Redis(url);
      return {
        sendCommand: async (command, ...args) => client.call(command, ...args),
        close: () => client.disconnect(),
      };
    },
  ],
  [
    "iovalkey",
    async (url) => {
      const client = new Valkey(url);
      return {
        sendCommand: async (command, ...args) => client.call(command, ...args),
        close: () => client.disconnect(),
      };
    },
  ],
];
