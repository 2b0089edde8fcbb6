import { createContract, type SchemaObject } from "@toolcontract/core";
import { createSession } from "@toolcontract/session";
import { xml, xmlFinal } from "@toolcontract/session/xml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SESSION_FILE_OPTIONS } from "./session-table.ts";

const contract = createContract({ logger: () => undefined, interpreter: true });

function fits(schema: SchemaObject, value: unknown): boolean {
  const inputSchema = { type: "object", properties: { value: schema } };
  return contract.check({ name: "file", inputSchema }, { value }).status === "valid";
}

/** What the agent passes on for the names in a file. */
const TRANSPORTS: ReadonlyMap<unknown, unknown> = new Map([
  ["xml", xml],
  ["xml-final", xmlFinal],
]);

function isTakenBySession(name: string, value: unknown): boolean {
  try {
    const nameOf = () => ({ provider: "p", model: "m" });
    // A schema is for this format alone.
    const format = name === "outputSchema" && { expectedOutputFormat: "json" as const };
    const option = { [name]: name === "transport" ? (TRANSPORTS.get(value) ?? value) : value };
    createSession({ targets: [{ model: "m" }], ...format, ...option }, { where: "test", nameOf });
    return true;
  } catch {
    return false;
  }
}

const options = [...SESSION_FILE_OPTIONS].map(([name, option]) => ({ name, ...option }));

describe("the session takes what the schema accepts", () => {
  const anyValue = fc.oneof(
    fc.jsonValue(),
    fc.integer({ min: -2, max: 2 ** 31 }),
    fc.array(fc.string({ maxLength: 3 })),
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.constant({}),
    {
      // Each word must come up.
      weight: 4,
      arbitrary: fc.constantFrom(
        ...options.flatMap(({ schema }) => (schema["enum"] ?? []) as string[]),
        "",
      ),
    },
  );

  test.each(options)("$name", ({ name, schema }) => {
    let accepted = 0;
    fc.assert(
      fc.property(anyValue, (value) => {
        const isAccepted = fits(schema, value);
        if (isAccepted) accepted += 1;
        // The session takes fractions of a millisecond and empty names too.
        if (isAccepted || schema["enum"] !== undefined) {
          expect(isTakenBySession(name, value)).toBe(isAccepted);
        }
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test("and its limits are the session's", () => {
    const { schema } = SESSION_FILE_OPTIONS.get("toolTimeout") ?? {};
    expect([1, 2 ** 31 - 1, 0, 2 ** 31].map((value) => schema && fits(schema, value))).toEqual(
      [1, 2 ** 31 - 1, 0, 2 ** 31].map((value) => isTakenBySession("toolTimeout", value)),
    );
  });
});
