import {
  FITS_NO_VARIANT,
  FITS_VARIANT,
  REFUSED_SCHEMA,
  topOf,
  WRITTEN,
} from "@toolcontract/case-table/refused-schema";
import { expect, test } from "vitest";
import { describeModes } from "./testing/every-sdk.ts";
import { steps, textOf } from "./testing/describe-on.ts";
import { bad, quiet } from "./testing/travel.ts";

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test.each([
    [undefined, topOf(REFUSED_SCHEMA)],
    ["openai", WRITTEN],
    ["gemini", WRITTEN],
  ] as const)(
    "with provider %s the model is shown a schema with %j, and the tool's own judges",
    async (provider, top) => {
      const ran: unknown[] = [];
      const inputSchema = sdk.ai.jsonSchema(REFUSED_SCHEMA as object);
      const execute = async (input: unknown) => ran.push(input);
      const tools = { get_weather: sdk.ai.tool({ inputSchema, execute }) };
      const model = sdk.script([
        {
          calls: [bad("a", "get_weather", FITS_NO_VARIANT), bad("b", "get_weather", FITS_VARIANT)],
        },
      ]);
      const more = provider && { provider };
      const settings = withContract({ ...quiet, tools, stopWhen: steps(2), ...more });
      const { messages } = await sdk.run(mode, { model, settings });
      const [shown] = model.requests[0]!.tools as unknown as { readonly inputSchema: object }[];
      expect(topOf(shown?.inputSchema)).toEqual(top);
      expect(textOf(messages, "a")).toContain("(VAL-");
      expect(ran).toEqual([{ city: "Oslo" }]);
    },
  );
});
