import { AggregateAjvError } from "@segment/ajv-human-errors";
import { Ajv, type ErrorObject } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { CorpusTool } from "../../corpus.ts";
import type { ReadText } from "../reading/complaint.ts";
import { readAjv, readHumanAjv } from "../reading/read-ajv.ts";
import type { MakeCall, System } from "./system.ts";

const OPTIONS = { strict: false, logger: false, allErrors: true, verbose: true } as const;
const ENGINES = [new Ajv(OPTIONS), new Ajv2019(OPTIONS), new Ajv2020(OPTIONS)] as const;
for (const engine of ENGINES) addFormats.default(engine);

/** ajv, and its own one-line text. */
export const plainAjv: System = ajvSystem("ajv errorsText", ["ajv"], readAjv, (errors) =>
  ENGINES[0].errorsText([...errors]),
);

/** ajv, and the texts of ajv-human-errors. */
export const humanAjv: System = ajvSystem(
  "ajv-human-errors",
  ["ajv", "@segment/ajv-human-errors"],
  readHumanAjv,
  (errors) => new AggregateAjvError([...errors]).message,
);

function ajvSystem(
  name: string,
  packages: readonly string[],
  read: ReadText,
  write: (errors: readonly ErrorObject[]) => string,
): System {
  return {
    name,
    schema: "json-schema",
    packages,
    read,
    readsText: false,
    offer: (tool) => makeCall(tool, write),
  };
}

function makeCall(
  { inputSchema }: CorpusTool,
  write: (errors: readonly ErrorObject[]) => string,
): MakeCall {
  const dialect =
    typeof inputSchema === "object" ? JSON.stringify(inputSchema["$schema"] ?? "") : "";
  const [draft07, ajv2019, ajv2020] = ENGINES;
  const engine = dialect.includes("draft-0")
    ? draft07
    : dialect.includes("2019-09")
      ? ajv2019
      : ajv2020;
  const validate = engine.compile(inputSchema);
  return async (text) => {
    const args: unknown = JSON.parse(text);
    if (validate(args)) return { status: "ran", args };
    return { status: "answered", text: write(validate.errors ?? []) };
  };
}
