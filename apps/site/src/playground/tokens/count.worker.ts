import { countTokens } from "@toolcontract/lint/tokens";
import { answerAll } from "../requests/index.ts";

answerAll(self, (text: string) => countTokens(text));
