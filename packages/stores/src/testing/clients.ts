/** A client that is connected. */
export interface Connection {
  readonly sendCommand: (command: string, ...args: string[]) => Promise<unknown>;
  readonly close: () => void;
}

/** The clients that the README names, as it connects them; a process loads the one that it uses. */
export const CLIENTS: readonly (readonly [
  name: string,
  connect: (url: string) => Promise<Connection>,
])[] = [
  [
    "redis",
    async (url) => {
      const { createClient } = await import("redis");
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
      const { Redis } = await import("ioredis");
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
      const { Redis } = await import("iovalkey");
      const client = new Redis(url);
      return {
        sendCommand: async (command, ...args) => client.call(command, ...args),
        close: () => client.disconnect(),
      };
    },
  ],
];
