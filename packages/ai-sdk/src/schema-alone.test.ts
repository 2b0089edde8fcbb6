import { experimental_codeModeTool as codeModeTool, DIRECT_TOOL_CALL } from "@ai-sdk/code-mode";
import { parseRejection } from "@toolcontract/core";
import { expect, test } from "vitest";
import { outputOf, steps, textOf } from "./testing/describe-on.ts";
import { describeModes, describeVersions } from "./testing/every-sdk.ts";
import { bad, quiet, SECRET, travel } from "./testing/travel.ts";

const FAULT = "/age (VAL-002): Type mismatch: expected integer, got string; expected integer";

// Without the loop: the schema is called directly.
describeVersions((sdk) => {
  test("validating with the schema alone gives the faults without a value", async () => {
    const { tools } = travel(sdk);
    const guarded = sdk.adapter.withContract({ ...quiet, tools }).tools["book"]!;
    const { validate } = sdk.ai.asSchema(guarded.inputSchema);
    const validation = await validate?.({ from: "LIS", age: SECRET });
    expect(validation).toMatchObject({ success: false });
    const { error } = validation as { readonly error: Error };
    expect(error.message).toContain(FAULT);
    expect(String(error) + error.stack + JSON.stringify(error)).not.toContain(SECRET);
  });
});

const NO_CODE_MODE = "code mode is a package for version 7";

describeModes(
  (sdk, mode) => {
    test("code mode, which calls no repair function, gets the faults without a value and runs valid calls only", async () => {
      const { tools, ran } = travel(sdk);
      const js = `
        const answers = [];
        for (const age of ["${SECRET}", 34]) {
          try {
            answers.push(await tools.book({ from: "LIS", age }));
          } catch (error) {
            answers.push(error.message);
          }
        }
        return answers;`;
      const code = JSON.stringify({ js });
      const guarded = sdk.adapter.withContract({
        ...quiet,
        tools: { ...tools, code_mode: codeModeTool() },
        stopWhen: steps(1),
      });
      const experimental_toolCallers = { book: ["code_mode", DIRECT_TOOL_CALL] };
      const settings = { ...guarded, experimental_toolCallers };
      const model = sdk.script([{ calls: [bad("call_1", "code_mode", code)] }]);
      const { messages } = await sdk.run(mode, { model, settings });
      const output = outputOf(messages, "call_1");
      expect(output?.value).toEqual([expect.stringContaining(FAULT), "booked"]);
      expect(JSON.stringify(output)).not.toContain(SECRET);
      expect(ran).toEqual([{ from: "LIS", age: 34 }]);
    });

    test("code mode's own arguments are guarded like those of any tool", async () => {
      const { tools } = travel(sdk);
      const guarded = sdk.adapter.withContract({
        ...quiet,
        tools: { ...tools, code_mode: codeModeTool() },
        stopWhen: steps(1),
      });
      const settings = { ...guarded, experimental_toolCallers: { book: ["code_mode"] } };
      const model = sdk.script([{ calls: [bad("call_1", "code_mode", "{}")] }]);
      const { messages } = await sdk.run(mode, { model, settings });
      expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
        { errorCode: "VAL-001", fieldPath: "/js" },
      ]);
    });
  },
  { 6: NO_CODE_MODE, 5: NO_CODE_MODE },
);
