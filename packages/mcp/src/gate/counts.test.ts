import { describe, expect, test } from "vitest";
import { gatedServer, serverOf, textOf } from "../testing/gated-server.ts";
import { createFairMap, createFairStore, ownedKey } from "./fair-map.ts";
import { MAX_COUNTED } from "./options.ts";

const tool = {
  name: "read_file",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

/** Sessions of several addresses. */
function honestSessions(count: number, addresses: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => ownedKey(`${at}`, `a${at % addresses}`));
}

/** Sessions that one client invents. */
function inventedSessions(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => ownedKey(`${at}`, "inventor"));
}

describe("of 12,000 sessions and 20,000 that one client invents", () => {
  const sessions = honestSessions(12_000, 50);
  const invented = inventedSessions(20_000);

  test("all honest ones keep their attempts, and the inventor's oldest loses its own", () => {
    const attempts = createFairMap<number>(MAX_COUNTED);
    const keyOf = (session: string): string => JSON.stringify([session, tool.name]);
    for (const session of [...sessions, ...invented]) attempts.set(keyOf(session), 1);
    expect(sessions.filter((session) => attempts.get(keyOf(session)) === undefined)).toEqual([]);
    expect(attempts.get(keyOf(invented[0] ?? ""))).toBeUndefined();
  });
});

test("attempts pass 1/3 in each of many sessions, and whoever invents more displaces its own", async () => {
  const store = createFairStore({ max: 75, idleTime: 600_000, clock: Date.now });
  const server = gatedServer(serverOf([tool]), { coalesceMs: 0, store });
  const attemptIn = async (session: string, path: number): Promise<string | undefined> => {
    const link = server.link({ attemptKey: session });
    const text = textOf(await server.call(tool.name, { path: [path] }, link));
    return /\((?:attempt|blocked after) (\d)\/3/.exec(text)?.[1];
  };
  const sessions = honestSessions(30, 5);
  for (const session of sessions) expect(await attemptIn(session, 1)).toBe("1");
  for (const session of sessions) expect(await attemptIn(session, 2)).toBe("2");
  const invented = inventedSessions(50);
  for (const session of invented) expect(await attemptIn(session, 1)).toBe("1");
  for (const session of sessions) expect(await attemptIn(session, 3)).toBe("3");
  expect(await attemptIn(invented[0] ?? "", 2)).toBe("1");
});
