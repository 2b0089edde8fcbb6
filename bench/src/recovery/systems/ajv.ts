import { AggregateAjvError } from "@segment/ajv-human-errors";
import { Ajv, type ErrorObject } from "ajv";
import { sharedBare } from "../../bare-ajv.ts";
import { type ReadText, readAjv, readHumanAjv } from "../reading/readers.ts";
import type { System } from "./system.ts";

const engineOf = sharedBare({ allErrors: true, verbose: true });
const writer = new Ajv();

/** ajv with its own one-line text. */
export const plainAjv: System = ajvSystem("ajv errorsText", ["ajv"], readAjv, (errors) =>
  writer.errorsText(errors),
);

/** ajv with the sentences of ajv-human-errors. */
export const humanAjv: System = ajvSystem(
  "ajv-human-errors",
  ["ajv", "@segment/ajv-human-errors"],
  readHumanAjv,
  (errors) => new AggregateAjvError(errors).message,
);

function ajvSystem(
  name: string,
  packages: readonly string[],
  read: ReadText,
  write: (errors: ErrorObject[]) => string,
): System {
  return {
    name,
    schema: "json-schema",
    packages,
    read,
    readsText: false,
    offer: (tool) => {
      const validate = engineOf(tool).compile(tool.inputSchema);
      return async (text) => {
        const args: unknown = JSON.parse(text);
        if (validate(args)) return { status: "ran", args };
        return { status: "answered", text: write(validate.errors ?? []) };
      };
    },
  };
}
