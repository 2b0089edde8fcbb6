import {
  describeSessions,
  type SessionNeed,
  type SeenResult,
  type World,
} from "@toolcontract/case-table/sessions";
import type { Share } from "@toolcontract/case-table/whole";
import { createQueues } from "@toolcontract/session";
import { xml, xmlFinal } from "@toolcontract/session/xml";
import type { ModelMessage, ToolSet } from "ai";
import { SDKS } from "../testing/both-ends.ts";
import { runSession } from "../testing/run-session.ts";
import { type Mode, MODES, type Sdk } from "../testing/sdk.ts";
import { seenMessages } from "../testing/seen-messages.ts";

const WHOLE: Partial<Record<SessionNeed, string>> = {
  streams:
    "the model's answer comes as a whole, so that nothing of it can be passed on before it fails",
};

const NO_STEP_TWICE: Partial<Record<SessionNeed, string>> = {
  retriesText:
    "only version 7 asks again for a step whose text was passed on; here the run ends with it",
  resumes:
    "only version 7 asks again for a step whose stream broke; here the run ends with that error",
};

for (const sdk of SDKS) {
  for (const mode of MODES) {
    const isWhole = mode === "generateText" || mode === "agent";
    describeSessions(`ai ${sdk.version} ${mode}`, {
      create: (world) => createRuns(sdk, mode, world),
      createQueues,
      // Agents call the functions.
      share: shareOf(sdk, mode),
      cannot: { ...(isWhole && WHOLE), ...(!isWhole && sdk.version !== 7 && NO_STEP_TWICE) },
    });
  }
}

const TRANSPORTS = { xml, "xml-final": xmlFinal };

function shareOf({ version }: Sdk, mode: Mode): Share {
  const isFunction = mode === "generateText" || mode === "streamText";
  if (!isFunction || version !== 7) return "one in six";
  return mode === "streamText" ? "one style" : "one in two";
}

/** A session with the world's models and tools; each call runs it once. */
function createRuns(sdk: Sdk, mode: Mode, world: World): () => Promise<SeenResult> {
  const [first, ...others] = world.targets.map(({ name, limits, ask, stall }) => ({
    ...limits,
    model: sdk.script(
      async (_, { prompt, tools = [], abortSignal, temperature, maxOutputTokens }) =>
        ask(
          {
            messages: seenMessages(prompt),
            tools: tools.map((tool) => tool.name),
            temperature,
            maxOutputTokens,
          },
          abortSignal,
        ),
      { provider: name, stall },
    ).model,
  }));
  if (!first) throw new Error("A row has at least one target");
  const { transport, ...options } = world.options;
  const session = sdk.session.agentSession({
    ...options,
    ...(transport && { transport: TRANSPORTS[transport] }),
    targets: [first, ...others],
    tools: toolsOf(sdk, world),
  });
  const settings = settingsOf(sdk, mode, world);
  return async () => {
    const { conversation, ...result } = await runSession(sdk, mode, session, settings);
    return { ...result, conversation: seenMessages(conversation) };
  };
}

function settingsOf({ version }: Sdk, mode: Mode, world: World): object {
  const { system, temperature, signal: abortSignal } = world;
  const isAgent = mode === "agent" || mode === "streaming agent";
  return {
    messages: world.messages.map(({ role, text }): ModelMessage => ({ role, content: text })),
    abortSignal,
    ...(temperature !== undefined && { temperature }),
    ...(system !== undefined && { [isAgent && version > 5 ? "instructions" : "system"]: system }),
    // By default the SDK prints errors of streams.
    onError: () => undefined,
  };
}

function toolsOf({ ai, version }: Sdk, { tools }: World): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, inputSchema, image, run }) => [
      name,
      ai.tool({
        inputSchema: ai.jsonSchema(inputSchema),
        execute: async (input: unknown, { abortSignal }) => run(input, abortSignal),
        ...(image && { toModelOutput: (given: unknown) => withImage(version, given) as never }),
      }),
    ]),
  );
}

const PNG = { data: "iVBORw0KGgo=", mediaType: "image/png" };

/** A text with an image; version 5 passes the output alone, and has another word for the image. */
function withImage(version: Sdk["version"], given: unknown): object {
  const text = version === 5 ? given : (given as { readonly output: unknown }).output;
  const image = { type: version === 5 ? "media" : "image-data", ...PNG };
  return { type: "content", value: [{ type: "text", text }, image] };
}
