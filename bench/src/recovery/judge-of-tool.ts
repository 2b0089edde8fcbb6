import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { CorpusTool } from "../corpus.ts";

const OPTIONS = { strict: false, logger: false, addUsedSchema: false } as const;
const DRAFT_07 = new Ajv(OPTIONS);
const LATER = [new Ajv2019(OPTIONS), new Ajv2020(OPTIONS)] as const;
for (const ajv of [DRAFT_07, ...LATER]) addFormats.default(ajv);

/** Whether a tool accepts a value, by ajv alone; engines are shared, because there are thousands of tools. */
export function judgeOfTool({ inputSchema }: CorpusTool): (value: unknown) => boolean {
  const declared =
    typeof inputSchema === "object" ? JSON.stringify(inputSchema["$schema"] ?? "") : "";
  const [ajv2019, ajv2020] = LATER;
  const ajv = declared.includes("draft-0")
    ? DRAFT_07
    : declared.includes("2019-09")
      ? ajv2019
      : ajv2020;
  const validate = ajv.compile(inputSchema);
  return (value) => validate(value);
}
