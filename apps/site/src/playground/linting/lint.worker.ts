// Lints beside the page: a pattern of a schema may be slow, and the vocabulary of the tokenizer is large.
import { answerAll } from "../requests/index.ts";
import { type LintedText, type LintRequest, lintText } from "./lint-text.ts";

answerAll(self, async ({ text, isExact }: LintRequest): Promise<LintedText> => {
  if (!isExact) return lintText(text);
  const { countTokens } = await import("@toolcontract/lint/tokens");
  return lintText(text, { countTokens: (counted) => countTokens(counted).tokens });
});
