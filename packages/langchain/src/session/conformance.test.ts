import { describeSessions, type SessionNeed } from "@toolcontract/case-table/sessions";
import { createQueues } from "@toolcontract/session";
import { LABS } from "../testing/both-ends.ts";
import { createRuns } from "../testing/session-world.ts";

const CANNOT: Partial<Record<SessionNeed, string>> = {
  callSettings:
    "a call of createAgent has no settings; models have them, and classes of models decide which to honour",
  resumes: "an answer is passed on when it has ended, so that nothing of a broken one was",
  streams: "middleware gets an answer as a whole; what LangChain streams, it streams around it",
};

const OLD: Partial<Record<SessionNeed, string>> = {
  stops: "this version runs the agent's own tool, whatever tool a middleware passes on",
  unknownTools: "this version throws before any middleware is asked",
};

for (const lab of LABS) {
  const { version, line } = lab;
  describeSessions(`langchain ${version} createAgent session`, {
    create: (world) => createRuns(lab, world),
    createQueues,
    share: line === "newest" ? "one style" : "one in six",
    cannot: { ...CANNOT, ...(line === "oldest" && OLD) },
  });
}
