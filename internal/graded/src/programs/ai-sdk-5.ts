import * as sdk from "ai5";
import { createOpenAI } from "openai-for-ai5";
import { programsOf, type Sdk } from "./ai-sdk.ts";

export const { bare, zod } = programsOf({ sdk, createOpenAI } as unknown as Sdk);
