import * as sdk from "ai6";
import { createOpenAI } from "openai-for-ai6";
import { programsOf, type Sdk } from "./ai-sdk.ts";

export const { bare, zod, contract } = programsOf({ sdk, createOpenAI } as unknown as Sdk);
