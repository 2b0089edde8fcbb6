import { document, PICTURE } from "./media.ts";
import { type Part, text } from "./tool.ts";

/** Arguments of a prompt, by name. */
export type PromptArguments = Readonly<Record<string, string>>;

/** A prompt that both SDK lines serve. */
export interface ReferencePrompt {
  readonly name: string;
  readonly description: string;
  /** Names of its arguments; all of them are required. */
  readonly args: readonly string[];
  readonly parts: (args: PromptArguments) => readonly Part[];
}

/** The prompts that the suite asks of every server. */
export const PROMPTS: readonly ReferencePrompt[] = [
  {
    name: "test_simple_prompt",
    description: "A prompt without arguments",
    args: [],
    parts: () => [text("A plain prompt")],
  },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt with two arguments",
    args: ["arg1", "arg2"],
    parts: ({ arg1, arg2 }) => [text(`The first is ${arg1}, the second is ${arg2}`)],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt that carries a document",
    args: ["resourceUri"],
    parts: ({ resourceUri = "" }) => [document(resourceUri), text("Read this document")],
  },
  {
    name: "test_prompt_with_image",
    description: "A prompt with a picture",
    args: [],
    parts: () => [PICTURE, text("Look at this picture")],
  },
];
