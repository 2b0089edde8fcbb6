import { answerOfAgent, langchainTool } from "@toolcontract/frameworks/langchain";
import manifest from "langchain/package.json" with { type: "json" };
import type { Peer } from "./peer.ts";
import { stackWithMessage } from "./stack-with-message.ts";

const NOTES = {
  answered: "The message holds the stack of the error; here it names files of this page.",
  silent:
    "LangChain sets a call aside if its arguments are not JSON: the agent ends, and the model reads nothing.",
  ran: undefined,
} as const;

/** `createAgent` of LangChain. */
export const langchain: Peer = {
  package: manifest.name,
  version: manifest.version,
  host: (tool, run) => {
    const offered = stackWithMessage(langchainTool(tool, run));
    return async (text) => answerOfAgent(offered, { tool, text });
  },
  note: (_, { status }) => NOTES[status],
};
