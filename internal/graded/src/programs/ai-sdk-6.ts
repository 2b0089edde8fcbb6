import * as sdk from "ai6";
import { createOpenAI } from "openai-for-ai6";
import { adapterOn, programsOf, type Sdk } from "./ai-sdk.ts";

const adapter = await adapterOn("ai6");

export const { bare, zod, contract } = programsOf({
  sdk,
  createOpenAI,
  adapter,
} as unknown as Sdk);
