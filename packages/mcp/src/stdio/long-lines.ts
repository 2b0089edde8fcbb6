import type { Link, Ruling } from "../gate/index.ts";
import {
  createListReader,
  createOutline,
  type ListReader,
  MAX_LIST_BYTES,
  type Outline,
  type OwnMethod,
  type OwnRequests,
  type Piece,
  tooLarge,
} from "../wire/index.ts";
import type { RelayGate } from "./deferred-gate.ts";
import { type LineWriter, toLine } from "./lines.ts";
import type { OpenRequests } from "./open-requests.ts";

/** Takes the lines over the size limit as they arrive in parts; none is kept. */
export interface LongLines {
  readonly take: (part: Piece) => void;
  /** Call at the end of the stream, which may be inside such a line. */
  readonly end: () => void;
}

/** What the lines of both directions need. */
export interface LongLineServices {
  readonly gate: RelayGate;
  readonly link: Link;
  readonly own: Pick<OwnRequests, "methodOf" | "tooLarge" | "take">;
  readonly open: Pick<OpenRequests, "sent" | "answered">;
  readonly toServer: LineWriter;
  readonly toClient: LineWriter;
  readonly maxMessageBytes: number;
  /** Called before and after parts of a line wait for the gate. */
  readonly onHeld: (calls: number, bytes: number) => void;
}

/** A line of the client. Without a ruling it is forwarded, because it cannot be a call by what has arrived of it. */
interface ClientLine {
  readonly outline: Outline;
  ruling: Ruling | "awaited" | undefined;
  /** Whether the server has a part of it. */
  isBegun: boolean;
  isOver: boolean;
  /** The parts that arrived while the ruling was awaited. */
  readonly waiting: Piece[];
}

const LINE_END = { bytes: Buffer.from("\n"), ends: true };

/** Forwards the client's lines that cannot be tool calls; all others are passed or refused by the gate. */
export function longLinesOfClient(services: LongLineServices): LongLines {
  const { gate, link, open, toServer, toClient, maxMessageBytes, onHeld } = services;
  const problem = { reason: "too-large", ...tooLarge(maxMessageBytes), failsClosed: true } as const;
  let current: ClientLine | undefined;

  function askGate(line: ClientLine): void {
    const ruling = gate.passOrRefuse(problem);
    if (!(ruling instanceof Promise)) {
      decide(line, ruling);
      return;
    }
    line.ruling = "awaited";
    onHeld(1, 0);
    void ruling.then((late) => {
      decide(line, late);
      for (const part of line.waiting) pass(line, part);
      if (line.isOver) finish(line);
      onHeld(-1, -line.waiting.reduce((sum, { bytes }) => sum + bytes.length, 0));
    });
  }

  function decide(line: ClientLine, ruling: Ruling): void {
    line.ruling = ruling;
    // Cut off, what the server has of the line is not a message.
    if (ruling.kind !== "forward" && line.isBegun) toServer.relay(LINE_END);
  }

  function pass(line: ClientLine, part: Piece): void {
    const { ruling } = line;
    if (ruling === "awaited") {
      line.waiting.push(part);
      onHeld(0, part.bytes.length);
    } else if (ruling === undefined || ruling.kind === "forward") {
      toServer.relay(part);
      line.isBegun = true;
    }
  }

  function finish(line: ClientLine): void {
    const { outline, ruling } = line;
    line.isOver = true;
    if (ruling === "awaited") return;
    const [id, method] = [outline.id(), outline.method()];
    if (ruling === undefined) gate.passUnread({ from: "client" }, link);
    if (ruling === undefined || ruling.kind === "forward") {
      if (method !== undefined) open.sent({ id, method });
    } else if (ruling.kind === "answer" && id !== undefined) {
      // The id of a response is one of the server's.
      const answer = { ...ruling.message, id: outline.isResponse() ? null : id };
      toClient.insert(toLine(answer));
    }
  }

  return {
    take(part) {
      const line = (current ??= newLine());
      line.outline.read(part.bytes);
      if (line.ruling === undefined && line.outline.mayBeCall()) askGate(line);
      pass(line, part);
      if (!part.ends) return;
      current = undefined;
      finish(line);
    },
    end() {
      if (current) finish(current);
      current = undefined;
    },
  };
}

function newLine(): ClientLine {
  return {
    outline: createOutline(),
    ruling: undefined,
    isBegun: false,
    isOver: false,
    waiting: [],
  };
}

/** A line of the server. */
interface ServerLine {
  readonly outline: Outline;
  /** What it answers, if it is the gate's own request: the client does not see it. */
  readonly answersOwn: OwnMethod | undefined;
  /** Reads it, if it is a list of tools that the gate asked for. */
  list: ListReader | undefined;
  bytes: number;
}

/** Relays the server's long lines: they are not calls, and results may be long. A list of tools has a limit of its own. */
export function longLinesOfServer(services: Omit<LongLineServices, "onHeld">): LongLines {
  const { gate, link, own, open, toClient } = services;
  let current: ServerLine | undefined;

  function begin(bytes: Buffer): ServerLine {
    const outline = createOutline();
    outline.read(bytes);
    // If the id comes last, the client sees the answer to a request that it did not make, and ignores it.
    const answersOwn = own.methodOf(outline.id());
    const list = answersOwn === "tools/list" ? createListReader() : undefined;
    return { outline, answersOwn, list, bytes: 0 };
  }

  function keep(line: ServerLine, { bytes }: Piece): void {
    line.bytes += bytes.length;
    if (line.bytes > MAX_LIST_BYTES) line.list = undefined;
    line.list?.push(bytes);
  }

  function finish({ outline, answersOwn, list }: ServerLine): void {
    const answers = outline.answers();
    const message = list?.end();
    if (answers !== undefined) {
      if (message === undefined || !own.take(message)) own.tooLarge(answers);
      open.answered(answers);
    }
    if (answersOwn === undefined) gate.passUnread({ from: "server", answers }, link);
  }

  return {
    take(part) {
      const line = current ?? begin(part.bytes);
      if (line === current) line.outline.read(part.bytes);
      current = line;
      if (line.answersOwn === undefined) toClient.relay(part);
      else keep(line, part);
      if (!part.ends) return;
      current = undefined;
      finish(line);
    },
    end() {
      if (current) finish(current);
      current = undefined;
    },
  };
}
