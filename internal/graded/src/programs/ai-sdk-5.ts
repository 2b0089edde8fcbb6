import * as sdk from "ai5";
import { createOpenAI } from "openai-for-ai5";
import { adapterOn, programsOf, type Sdk } from "./ai-sdk.ts";

const adapter = await adapterOn("ai5");

export const { bare, zod, contract } = programsOf({
  sdk,
  createOpenAI,
  adapter,
} as unknown as Sdk);
