import { answerAll } from "../requests/index.ts";
import { countTokens } from "./count-tokens.ts";

answerAll(self, (text: string) => countTokens(text));
