import { z } from "zod";
import { askPeers } from "./ask-peers.ts";
import type { PeerRequest } from "./peer-answer.ts";

// Otherwise zod tries whether it may compile strings, which the page's policy forbids.
z.config({ jitless: true });

self.addEventListener("message", ({ data }: MessageEvent<PeerRequest>) => {
  askPeers(data).then(
    (answers) => self.postMessage(answers),
    (thrown: unknown) => self.reportError(thrown),
  );
});
