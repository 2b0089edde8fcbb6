// Lints beside the page: a pattern of a schema may be slow.
import { answerAll } from "../requests/index.ts";
import { lintText } from "./lint-text.ts";

answerAll(self, (text: string) => lintText(text));
