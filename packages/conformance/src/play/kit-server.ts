import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eventText, type Json } from "@toolcontract/wire";
import type { WireFormat } from "../wire/index.ts";
import { FORMATS } from "../wire/index.ts";
import type { KitRun } from "./kit-run.ts";

const MODEL = "scripted";

/** The scripted model and its tools, on loopback. */
export interface KitServer {
  /** Gives a run a place of its own; returns where its model, its tools and its person are. */
  add(
    run: KitRun,
    format: WireFormat,
  ): {
    readonly baseUrl: string;
    readonly ranUrl: string;
    readonly approveUrl: string;
    readonly answeredUrl: string;
    /** Ends the place: later requests find nothing. */
    remove(): void;
  };
  close(): Promise<void>;
}

/** Starts a server for any number of runs at once. */
export async function startKitServer(): Promise<KitServer> {
  const places = new Map<string, { readonly run: KitRun; readonly format: WireFormat }>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    const [, key = "", ...rest] = url.pathname.split("/");
    const place = places.get(key);
    const path = `/${rest.join("/")}`;
    const body = await text(request);
    if (place === undefined) return sendJson(response, 404, { error: "This run is over." });
    const { run, format } = place;
    if (path === "/ran") return sendJson(response, 200, run.ran(body));
    if (path === "/answered") return sendJson(response, 200, run.answered(body));
    if (path === "/approve") return sendJson(response, 200, run.approve(body));
    if (path.endsWith("/models")) {
      return sendJson(response, 200, { object: "list", data: [{ id: MODEL, object: "model" }] });
    }
    if (!format.path.test(path)) {
      run.strayed(path);
      return sendJson(response, 404, { error: { message: `The kit does not play ${path}.` } });
    }
    const sent = objectInBody(body);
    if (sent === undefined) {
      return sendJson(response, 400, format.form.error({ status: 400, message: "Not JSON." }));
    }
    const isStream = format.isStream(sent, url);
    const reply = run.reply({
      history: format.read(sent),
      isStream,
      mayCall: format.mayCall(sent),
    });
    if (reply === undefined) {
      const error = { status: 400, message: "The scenario is over: too many requests." };
      return sendJson(response, 400, format.form.error(error));
    }
    const turn = { ...reply.turn, model: MODEL };
    if (reply.drops && !isStream) return void response.destroy();
    if (!isStream) return sendJson(response, 200, format.form.body(turn));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events = format.form.events(turn).map(eventText);
    if (reply.drops) return breakOff(response, events);
    for (const event of events) response.write(event);
    response.end(format.streamEnd);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;
  return {
    add(run, format) {
      count += 1;
      const key = `run-${count}`;
      places.set(key, { run, format });
      return {
        baseUrl: `${origin}/${key}/v1`,
        ranUrl: `${origin}/${key}/ran`,
        approveUrl: `${origin}/${key}/approve`,
        answeredUrl: `${origin}/${key}/answered`,
        remove: () => void places.delete(key),
      };
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** How much of a message arrives before the connection breaks: calls are at its end. */
const ARRIVES = 0.75;

/** Sends the beginning of a message and breaks the connection. */
function breakOff(response: ServerResponse, events: readonly string[]): void {
  const sent = events.slice(0, Math.floor(events.length * ARRIVES)).join("");
  // The rest of the answer is never sent, so the client sees that it broke off.
  response.write(sent, () => response.destroy());
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function objectInBody(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** The formats whose requests have one of these paths. */
export function formatsOf(paths: Iterable<string>): readonly string[] {
  const strays = [...paths];
  return Object.entries(FORMATS).flatMap(([name, format]) =>
    strays.some((path) => format.path.test(path)) ? [name] : [],
  );
}
