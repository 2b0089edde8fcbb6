import { z } from "zod";
import { answerAll, type Asker, askThrough } from "../requests/index.ts";
import { askPeers } from "./ask-peers.ts";
import type { PeerRequest } from "./peer-answer.ts";
import { readAnswers } from "./read-answers.ts";

// Compiling validators would need `unsafe-eval`.
z.config({ jitless: true });

/** For a tool in zod: the peers run beside its code, in a sandbox. */
let sandbox: Asker | undefined;

self.addEventListener("message", ({ ports: [port] }) => {
  if (port === undefined) return;
  // The page did not ask for it either, so it ends this worker, and the sandbox with it.
  sandbox = askThrough(port, () => self.postMessage("unasked"));
});

answerAll(self, (request: PeerRequest) =>
  sandbox === undefined ? askPeers(request) : sandbox.ask(request, readAnswers),
);
