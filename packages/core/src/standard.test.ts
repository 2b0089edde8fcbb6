import { gzipSync } from "node:zlib";
import { type } from "arktype";
import { type BuildResult, build } from "esbuild";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  createContract as createFullContract,
  createStandardContract as createContract,
} from "./contract/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import { contractFrom, oneOf } from "./standard-adapter.ts";

const SILENT = { logger: () => undefined };

const OWN = { escalate: oneOf("continue", "stop") };

const zodTool = {
  name: "edit",
  validator: z.object({ path: z.string().regex(/^notes\//), mode: z.enum(["read", "write"]) }),
};

describe("a contract without JSON Schema", () => {
  test("runs what the validator accepts, and refuses the rest in the contract's words", async () => {
    const contract = createContract(SILENT);
    const sent = (args: string) =>
      contract.handle(
        { id: "1", name: "edit", arguments: args },
        { tool: zodTool, conversationId: args, execute: () => "done" },
      );
    const done = await sent('{"path":"notes/a","mode":"read"}');
    expect([done.status, done.result.content]).toEqual(["executed", "done"]);
    const refused = await sent('{"path":"etc","mode":"raed"}');
    expect(refused.result.content).toBe(
      [
        "Validation failed for tool 'edit' (attempt 1/3):",
        "",
        "Errors:",
        "• /mode (VAL-008): Invalid enum value",
        '  Expected: one of "read", "write"',
        '  Actual: "raed"',
        '  Hint: use "read"',
        "• /path (VAL-007): Value doesn't match pattern",
        "  Expected: string matching ^notes\\/",
        '  Actual: "etc"',
        "",
        "Correct these and call 'edit' again with all arguments.",
      ].join("\n"),
    );
  });

  const tools = [
    ["zod", zodTool],
    [
      "valibot",
      { name: "edit", validator: v.object({ path: v.string(), mode: v.picklist(["read"]) }) },
    ],
    ["arktype", { name: "edit", validator: type({ path: "string", mode: "'read'|'write'" }) }],
  ] as const;

  test.for(tools)("decides like the whole contract on a tool of %s", ([, tool]) => {
    const texts = ['{"path":"notes/a","mode":"read"}', '{"path":1}', "{}", "[]", '{"path":', "x"];
    const [small, whole] = [createContract(SILENT), createFullContract(SILENT)];
    for (const text of texts) {
      const outcomes = [small, whole].map((contract) => {
        const result = contract.check(tool, text);
        return result.status === "valid" ? result.output : result.status;
      });
      expect({ text, outcome: outcomes[0] }).toEqual({ text, outcome: outcomes[1] });
    }
  });

  test("hides what the schema of a validator calls a secret", () => {
    const note = z.string().min(20).meta({ writeOnly: true });
    const tool = { name: "store", validator: z.object({ note }) };
    const result = createContract(SILENT).check(tool, { note: "open sesame" });
    expect(result).toMatchObject({ errors: [{ actualValue: "[redacted]" }] });
  });

  test("unwraps strings if the validator wants what is in them", () => {
    const tool = { name: "sum", validator: z.object({ of: z.array(z.number()) }) };
    const contract = createContract(SILENT);
    expect(contract.check(tool, '{"of":"[1,2]"}').status).toBe("valid");
  });

  test("a tool with neither schema nor validator takes any arguments", () => {
    expect(createContract(SILENT).check({ name: "any" }, '{"a":1}').status).toBe("valid");
  });
});

describe("an adapter on it", () => {
  test("takes the options of a contract without those about JSON Schema", async () => {
    const contract = contractFrom("withContract", { ...SILENT, escalate: "stop" }, OWN);
    const call = { id: "1", name: "edit", arguments: '{"mode":"read"}' };
    const admission = await contract.admit(call, { tool: zodTool, conversationId: "c" });
    expect(admission).toMatchObject({ status: "rejected", errors: [{ fieldPath: "/path" }] });
  });

  test.each([
    [{ interpreter: true }, "withContract: `interpreter` is about JSON Schema"],
    [{ maxAttempt: 1 }, "withContract: unknown option 'maxAttempt'"],
    [{ contract: createFullContract(SILENT), maxAttempts: 1 }, "withContract: pass either"],
  ])("%j is a mistake, and its function is named", (options, words) => {
    expect(() => contractFrom("withContract", options, OWN)).toThrow(words);
  });
});

describe("mistakes of the programmer", () => {
  test("a tool with only an inputSchema is one, and the error names the other entry", () => {
    const tool = { name: "edit", inputSchema: { type: "object" } };
    expect(() => createContract(SILENT).check(tool, "{}")).toThrow(
      new ToolContractError(
        "tool 'edit' has an `inputSchema` and no `validator`: createContract() of @toolcontract/core/standard validates only with validators, such as a zod schema. Give the tool one, or use createContract() of @toolcontract/core.",
      ),
    );
  });

  test.each([{ interpreter: true }, { patternEngine: () => undefined }, { unknownFields: "warn" }])(
    "an option about JSON Schema is one: %j",
    (options) => {
      const [name] = Object.keys(options);
      expect(() => createContract(options as object)).toThrow(
        `createContract: \`${name}\` is about JSON Schema, which @toolcontract/core/standard does not read; leave it out, or use createContract() of @toolcontract/core.`,
      );
    },
  );

  test.each([{ maxAttempt: 1 }, { maxAttempts: "3" }, null])(
    "so are options such as %j",
    (options) => {
      expect(() => createContract(options as object)).toThrow(ToolContractError);
    },
  );
});

describe("the bundle", () => {
  const bundle = (
    entry: string,
    name = "createContract",
  ): Promise<BuildResult<{ metafile: true; write: false }>> =>
    build({
      stdin: {
        contents: `export { ${name} } from "./${entry}"`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: "esm",
      platform: "browser",
    });

  test("has no ajv and no explainer, and is half of the whole", async () => {
    const [small, adapter, whole] = await Promise.all([
      bundle("standard.ts"),
      bundle("standard-adapter.ts", "contractFrom"),
      bundle("index.ts"),
    ]);
    const files = [small, adapter].flatMap(({ metafile }) =>
      Object.values(metafile.outputs).flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
          bytesInOutput > 0 ? file : [],
        ),
      ),
    );
    expect(files.filter((file) => /ajv|schema\/(?:walk|union|pattern)\//.test(file))).toEqual([]);
    const [least, less, most] = [small, adapter, whole].map(
      ({ outputFiles: [file] }) => gzipSync(file?.contents ?? "").length,
    );
    // Telemetry and stores are in both, so the share grows with them.
    expect(least).toBeLessThan((most ?? 0) * 0.57);
    expect(less).toBeLessThan((most ?? 0) * 0.57);
  });
});
