import { isRecord } from "@toolcontract/core/adapter";

const UNNAMED = "langchain";

/** The thread that a run belongs to, where its host names one. */
export function threadIdOf(config: unknown): string | undefined {
  const configurable = isRecord(config) ? config["configurable"] : undefined;
  const id = isRecord(configurable) ? configurable["thread_id"] : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Names a conversation whose attempts are counted from its messages. */
export function conversationIdOf(config: unknown): string {
  return threadIdOf(config) ?? UNNAMED;
}
