import { EventEmitter, once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** How a server of a test behaves. */
export interface Behaviour {
  readonly name: string;
  /** Where it reports. */
  readonly port: number;
  /** The tools that it has, of those in `stdio-server.ts`. */
  readonly tools: readonly string[];
  /** Never answers `initialize`. */
  readonly isSilent?: boolean;
  /** Ignores the end of its input and SIGTERM. */
  readonly isStubborn?: boolean;
}

/** What a server reports. */
export interface ServerEvent {
  readonly name: string;
  readonly pid: number;
  readonly event: string;
}

/** The servers that the command starts for a test, as they report themselves. */
export interface WatchedServers {
  /** The configuration of a server. */
  readonly config: (behaviour: Omit<Behaviour, "port">) => {
    readonly command: string;
    readonly args: readonly string[];
  };
  /** Resolves with the process id when a server reports an event. */
  readonly until: (name: string, event: string) => Promise<number>;
  /** What a server has reported, in order. */
  readonly eventsOf: (name: string) => readonly string[];
  /** Resolves when none of them is left: their connections end with them. */
  readonly allEnded: () => Promise<void>;
  /** Kills what is left. */
  readonly end: () => Promise<void>;
}

const PROGRAM = fileURLToPath(import.meta.resolve("./stdio-server.ts"));

/** Listens for the reports of servers. */
export async function watchServers(): Promise<WatchedServers> {
  const events: ServerEvent[] = [];
  const alive = new Map<Socket, number>();
  const news = new EventEmitter();
  const listener = createServer((socket) => {
    alive.set(socket, 0);
    createInterface({ input: socket }).on("line", (line) => {
      const event = JSON.parse(line) as ServerEvent;
      alive.set(socket, event.pid);
      events.push(event);
      news.emit("event");
    });
    // Killed processes reset their connections.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      alive.delete(socket);
      news.emit("event");
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;

  async function allEnded(): Promise<void> {
    while (alive.size > 0) await once(news, "event");
  }
  return {
    config: (behaviour) => ({
      command: process.execPath,
      args: [PROGRAM, JSON.stringify({ ...behaviour, port } satisfies Behaviour)],
    }),
    async until(name, event) {
      for (;;) {
        const found = events.find((one) => one.name === name && one.event === event);
        if (found) return found.pid;
        await once(news, "event");
      }
    },
    eventsOf: (name) => events.filter((one) => one.name === name).map(({ event }) => event),
    allEnded,
    async end() {
      for (const pid of alive.values()) if (pid > 0) kill(pid);
      await allEnded();
      listener.close();
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended, and its connection is about to close.
  }
}
