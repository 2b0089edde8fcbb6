import assert from "node:assert/strict";
import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { Skipped } from "../attempt.ts";
import type { Place } from "../place.ts";
import { type Form, type Program, runProgram } from "../program.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";

/** A tool, and two calls of it that fail. */
const TWO_FAILURES = `
const tool = { name: "add", inputSchema: { type: "object", required: ["a"] } };
const context = { tool, conversationId: "packages" };
for (const id of ["1", "2"]) {
  const answer = await contract.admit({ id, name: "add", arguments: {} }, { ...context, turnId: id });
  console.log(answer.attempt);
}`;

const URL_OF_README = '"redis://127.0.0.1:6379"';

function nodeRedis(url: string, place: Place): Program {
  return {
    source: readmeOf("stores", place).fence("ts"),
    replaced: { [URL_OF_README]: JSON.stringify(url) },
    after: `${TWO_FAILURES}\nclient.destroy();`,
  };
}

const likeIoredis =
  (name: string) =>
  (url: string): Program => ({
    source: `
import { createContract } from "@toolcontract/core";
import { withFallback } from "@toolcontract/stores";
import { redisStore } from "@toolcontract/stores/redis";
import { Redis } from "${name}";
const client = new Redis("${url}", { enableOfflineQueue: false, maxRetriesPerRequest: 1, lazyConnect: true });
client.on("error", () => {});
await client.connect();
const store = redisStore({ sendCommand: (command, ...args) => client.call(command, ...args) });
const contract = createContract({ store: withFallback(store), logger: false });
${TWO_FAILURES}
client.disconnect();`,
    replaced: {},
  });

const CLIENTS: Readonly<Record<string, (url: string, place: Place) => Program>> = {
  redis: nodeRedis,
  ioredis: likeIoredis("ioredis"),
  iovalkey: likeIoredis("iovalkey"),
};

async function count(
  programOf: (url: string, place: Place) => Program,
  form: Form,
  place: Place,
): Promise<void> {
  if (WHY_NO_REDIS !== undefined) throw new Skipped(WHY_NO_REDIS);
  const server = await startRedis();
  try {
    const program = programOf(server.url, place);
    assert.equal(await runProgram(program, form, place), "1\n2\n");
    // Another process goes on with the count, and the tool is blocked.
    const [third] = (await runProgram(program, form, place)).split("\n");
    assert.equal(third, "3");
  } finally {
    await server.stop();
  }
}

/** An engine that is a map runs the published cases; on each Node, because that of SQLite is not on all. */
const CASES = `
import { createLocalStore, createVersionedStore } from "@toolcontract/stores";
import { sqliteAttempts } from "@toolcontract/stores/sqlite";
import { describeStore } from "@toolcontract/stores/testing";
const cases: (() => Promise<void>)[] = [];
describeStore<Map<string, string>>(
  {
    place: () => new Map(),
    open: (entries) =>
      createVersionedStore({
        read: (key) => ({ value: entries.get(key) }),
        swap(key, expected, next) {
          if (entries.get(key) !== expected) return { value: entries.get(key) };
          if (next === undefined) entries.delete(key);
          else entries.set(key, next);
          return "done";
        },
      }),
  },
  (_, run) => cases.push(run),
);
for (const run of cases) await run();
console.log(cases.length > 20, createLocalStore(new Map()).get("key"));
try {
  sqliteAttempts(undefined as never);
} catch (error) {
  console.log((error as Error).name);
}`;

/** In a Durable Object, its store and its ledger pass the published cases; elsewhere there is none. */
const DURABLE_OBJECT = `
import { durableObjectLedger, durableObjectStore } from "@toolcontract/stores/durable-object";
import { describeLedger, describeStore } from "@toolcontract/stores/testing";
const storage = (globalThis as any).durableObjectStorage;
async function passed() {
  const cases: (() => Promise<void>)[] = [];
  const tables = ["attempts", "ledger_entries", "ledger_claims", "ledger_totals", "ledger_spent"];
  const place = () => {
    for (const table of tables) storage.sql.exec("DROP TABLE IF EXISTS toolcontract_" + table);
    return storage;
  };
  describeStore({ place, open: () => durableObjectStore(storage) }, (_, run) => cases.push(run));
  describeLedger({ place, open: () => durableObjectLedger(storage) }, (_, run) => cases.push(run));
  for (const run of cases) await run();
  return cases.length > 30;
}
console.log((globalThis as any).navigator?.userAgent, await passed().catch(() => {
  try {
    return typeof durableObjectLedger(storage);
  } catch (error) {
    return (error as Error).name;
  }
}));`;

/** Runs in a Durable Object of workerd, beside every Node. */
export function durableObjectCells(): readonly Cell[] {
  return [
    {
      name: "a Durable Object, esm",
      async run(place) {
        const printed = await runProgram({ source: DURABLE_OBJECT, replaced: {} }, "esm", place);
        const expected = printed.startsWith("Cloudflare-Workers")
          ? " true\n"
          : " ToolContractError\n";
        assert.equal(printed.slice(printed.indexOf(" ")), expected);
      },
    },
  ];
}

const FORMS = ["esm", "cjs"] satisfies Form[];

/** Two processes, one after the other, count on one server with each client of the README; a store passes its cases. */
export function storesCells(): readonly Cell[] {
  const cases = FORMS.map((form): Cell => ({
    name: `cases, ${form}`,
    run: async (place) => {
      const printed = await runProgram({ source: CASES, replaced: {} }, form, place);
      assert.equal(printed, "true undefined\nToolContractError\n");
    },
  }));
  const clients = Object.entries(CLIENTS).flatMap(([client, programOf]) =>
    FORMS.map((form): Cell => ({
      name: `${client}, ${form}`,
      run: (place) => count(programOf, form, place),
    })),
  );
  return [...cases, ...clients];
}
