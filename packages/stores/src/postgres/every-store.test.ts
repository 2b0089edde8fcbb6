import { PGlite } from "@electric-sql/pglite";
import { isWhole, oneInThree } from "@toolcontract/case-table/whole";
import { POSTGRES_URL, WHY_NO_POSTGRES } from "@toolcontract/postgres-server";
import { afterAll, beforeAll, describe, test } from "vitest";
import { describeLedger, describeStore } from "../cases/index.ts";
import { POSTGRES_CLIENTS, type PostgresConnection } from "../testing/postgres-clients.ts";
import { tablesOn } from "../testing/postgres-tables.ts";
import { countInProcess, spendInProcess } from "../testing/run-process.ts";
import { postgresLedger, postgresStore } from "./index.ts";

// The gate of the tests says once that there is no server.
describe.skipIf(WHY_NO_POSTGRES)("Postgres does what every store must do", () => {
  describe.each(oneInThree(POSTGRES_CLIENTS))("with %s", (name, connect) => {
    let connection: PostgresConnection;
    const { dropAll, ...tables } = tablesOn(() => connection.client);
    beforeAll(async () => {
      connection = await connect(POSTGRES_URL);
    });
    afterAll(async () => {
      await dropAll();
      await connection.close();
    });
    const engine = (prefix: string) => ({ postgres: name, url: POSTGRES_URL, prefix });

    describeStore(
      {
        ...tables,
        open: (prefix) => postgresStore(connection.client, { prefix }),
        fork: async (prefix, job) => countInProcess(engine(prefix), job),
      },
      test,
    );
    describeLedger(
      {
        place: tables.place,
        open: (prefix) => postgresLedger(connection.client, { prefix }),
        fork: async (prefix, job) => spendInProcess(engine(prefix), job),
      },
      test,
    );
  });
});

// It stands in where no server is.
describe("PGlite does what every store must do", () => {
  let database: PGlite;
  const { dropAll: _, ...tables } = tablesOn(() => database);
  beforeAll(async () => {
    database = await PGlite.create();
  });
  afterAll(async () => database.close());

  describe.skipIf(!isWhole && WHY_NO_POSTGRES === undefined)("as a store", () => {
    describeStore({ ...tables, open: (prefix) => postgresStore(database, { prefix }) }, test);
  });
  describeLedger(
    { place: tables.place, open: (prefix) => postgresLedger(database, { prefix }) },
    test,
  );
});
