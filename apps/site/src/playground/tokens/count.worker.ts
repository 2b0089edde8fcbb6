import { countTokens } from "./count-tokens.ts";
import { answerAll } from "../requests/index.ts";

answerAll(self, (text: string) => countTokens(text));
