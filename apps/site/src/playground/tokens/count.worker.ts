import { countTokens } from "./count-tokens.ts";
import type { CountRequest, CountReply } from "./token-counter.ts";

self.addEventListener("message", ({ data: { key, text } }: MessageEvent<CountRequest>) => {
  const reply: CountReply = { key, count: countTokens(text) };
  self.postMessage(reply);
});
