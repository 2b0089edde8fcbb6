/** Judges a final answer: the model is asked again, or it ends with this text. */
export type JudgeAnswer = (
  text: string,
  finishReason: string | undefined,
) => Promise<
  | { readonly action: "again"; readonly content: string }
  | { readonly action: "end"; readonly text: string }
>;
