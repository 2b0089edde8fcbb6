import { eventText, type Json, type WireForm, type WireTurn } from "@toolcontract/wire";
import type { LanguageModel } from "ai";
import type { Sdk } from "./sdk.ts";

/** The answer to a call, as sent to the provider. */
export interface SentResult {
  readonly id: unknown;
  readonly text: string;
  /** Set if the provider has an error flag. */
  readonly isError?: unknown;
}

/** A provider's API, and how to read its requests. */
export interface WireApi extends Pick<WireForm, "body" | "events"> {
  readonly name: string;
  /** The model from the provider package of an SDK version. */
  model(version: Sdk["version"], fetch: Fetch): Promise<LanguageModel>;
  /** The answers to calls. */
  results(request: Json): readonly SentResult[];
  /** The arguments of the calls that are replayed. */
  replayed(request: Json): readonly unknown[];
  /** The JSON Schemas of the tools. */
  schemas(request: Json): readonly unknown[];
}

type Fetch = typeof globalThis.fetch;

/** A provider without a network, and the requests it received. */
export interface WireModel {
  readonly model: LanguageModel;
  readonly sent: readonly Json[];
}

/** Creates a model of a real provider package that plays turns in order. */
export async function wireModel(
  api: WireApi,
  version: Sdk["version"],
  turns: readonly WireTurn[],
): Promise<WireModel> {
  const sent: Json[] = [];
  const fetch: Fetch = async (_, init) => {
    const turn = turns[sent.length] ?? { text: "end of the script" };
    const request = JSON.parse(init?.body as string) as Json;
    sent.push(request);
    return request["stream"] === true ? streamed(api.events(turn)) : Response.json(api.body(turn));
  };
  return { model: await api.model(version, fetch), sent };
}

function streamed(events: readonly Json[]): Response {
  const headers = { "content-type": "text/event-stream" };
  return new Response(events.map(eventText).join(""), { headers });
}
