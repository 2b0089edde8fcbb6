import { withContract } from "@toolcontract/ai-sdk";
import { createContract } from "@toolcontract/core";
import { generateText, type LanguageModel, NoObjectGeneratedError, Output } from "ai";
import { z } from "zod";
import { latestMessages, saidIn } from "../ai-sdk/answers.ts";
import { createScriptedLanguageModel } from "../ai-sdk/scripted-language-model.ts";
import { countTokens } from "../count-tokens.ts";
import type { Scenario, Scene } from "../scenario.ts";
import { createWatchedContract } from "../watched-contract.ts";

const schema = z.strictObject({
  rating: z.number().int().max(5),
  title: z.string(),
  tags: z.array(z.enum(["price", "service", "quality"])),
});
const RIGHT = { rating: 4, title: "Fine chairs, slow delivery", tags: ["quality", "service"] };
const prompt = "Review the order as JSON.";

/** What both sides came to. */
interface AnswerScene extends Scene {
  readonly output: unknown;
  readonly thrown: unknown;
}

/** The structured answer at the end fails twice, and then fits. */
export const aiSdkFinalAnswer: Scenario = {
  name: "ai-sdk-final-answer",
  title: "AI SDK: the final answer fails twice, and then fits its schema",
  story:
    "A structured answer gets no second try: the AI SDK throws NoObjectGeneratedError at the first one that does not fit, and the whole run is lost.",
  script: [
    { calls: [], says: '```json\n{"rating": 10, "tags": "quality"}\n```' },
    {
      learned: [
        "Validation failed for the answer (attempt 1/3)",
        "'title' is missing",
        "at most 5",
      ],
      calls: [],
      says: '{"rating": 4, "title": "Fine chairs, slow delivery", "tags": ["Quality", "services"]}',
    },
    { learned: ["attempt 2/3", '"service"'], calls: [], says: JSON.stringify(RIGHT) },
  ],
  async play({ workspace }): Promise<AnswerScene> {
    const watched = createWatchedContract({});
    const guarded = readingModel();
    const { output } = await generateText({
      model: guarded.model,
      prompt,
      ...withContract({ tools: {}, output: { schema }, contract: watched.contract }),
    });
    const compact = readingModel();
    const contract = createContract({ format: { style: "compact" }, logger: false });
    await generateText({
      model: compact.model,
      prompt,
      ...withContract({ tools: {}, output: { schema }, contract }),
    });
    const alone = createScriptedLanguageModel(aiSdkFinalAnswer.script);
    const thrown = await generateText({
      model: alone.model,
      prompt,
      output: Output.object({ schema }),
    }).catch((error: unknown) => error);
    const shorter = compact.answers();
    const answers = guarded.answers();
    const turns = guarded.turns.map((message, index) => ({
      message,
      calls: [],
      ...(answers[index] !== undefined && {
        answer: {
          text: answers[index],
          tokens: countTokens(answers[index]),
          compactTokens: countTokens(shorter[index] ?? ""),
        },
      }),
    }));
    return { ...watched, ...workspace, turns, metrics: watched.contract.metrics(), output, thrown };
  },
  verify(scene, claim) {
    const { output, thrown } = scene as AnswerScene;
    claim(
      "without the contract the run throws NoObjectGeneratedError at the first answer",
      NoObjectGeneratedError.isInstance(thrown),
      thrown,
    );
    claim(
      "with it the application gets an object that fits, in the same run",
      JSON.stringify(output) === JSON.stringify(RIGHT),
      output,
    );
    claim(
      "two answers are counted as rejected, as those of `answer`",
      scene.logs.filter(({ fields }) => fields.tool_name === "answer" && fields.level === "warn")
        .length === 2,
      scene.logs,
    );
  },
};

/** A scripted model, and what it read after each of its answers. */
function readingModel() {
  const { model, turns, requests } = createScriptedLanguageModel(aiSdkFinalAnswer.script);
  const answers = (): readonly string[] =>
    requests()
      .slice(1)
      .map((request) => saidIn(latestMessages(request.prompt)));
  return { model: model as LanguageModel, turns, answers };
}
