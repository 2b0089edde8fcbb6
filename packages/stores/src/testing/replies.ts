import { READ, SWAP } from "../redis/lua.ts";

/** What answers as a server that knows the two scripts, for tests of what is sent and of the forms of replies. */
export interface Replies {
  readonly sendCommand: (command: string, ...args: string[]) => Promise<unknown>;
  /** What was sent. */
  readonly sent: (readonly string[])[];
  /** Forgets the scripts, as a server that starts again. */
  readonly forget: () => void;
}

/** Creates a server of replies; its clock is a millisecond later with each script. */
export function createReplies(): Replies {
  const values = new Map<string, string>();
  const known = new Set<string>();
  const sent: (readonly string[])[] = [];
  let now = 1_000;

  function run(sha1: string, [key = "", expected, next]: readonly string[]): unknown {
    now += 1;
    const found = values.get(key);
    if (sha1 === READ.sha1) return [found ?? null, now];
    if ((found?.slice(0, 16) ?? "") !== expected) return [found ?? null, now];
    if (next === undefined || next === "") values.delete(key);
    else values.set(key, next);
    return 1;
  }

  return {
    sent,
    forget: () => known.clear(),
    async sendCommand(command, script = "", _keys, ...args) {
      sent.push([command, script, _keys ?? "", ...args]);
      const { sha1 } = [READ, SWAP].find(({ text }) => text === script) ?? { sha1: script };
      if (command === "EVAL") known.add(sha1);
      if (!known.has(sha1)) throw new Error("NOSCRIPT No matching script. Please use EVAL.");
      return run(sha1, args);
    },
  };
}
