import {
  type Blocked,
  readResultMarker,
  type Rejected,
  type ResultMarker,
  resultMarker,
  type SerializedEscalation,
} from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";

/** What a tool message of ours keeps beside its text; the model never sees it. */
export interface RejectionArtifact {
  readonly toolcontract: ResultMarker & { readonly escalation?: SerializedEscalation };
}

/** Makes the artifact of an answer: plain data, so that every checkpointer can keep it. */
export function toArtifact(answer: Rejected | Blocked): RejectionArtifact {
  const marker = resultMarker(answer.result);
  if (answer.status === "rejected") return { toolcontract: marker };
  return { toolcontract: { ...marker, escalation: answer.escalation.toJSON() } };
}

/** Reads the marker of a tool message's artifact, whoever made it. */
export function readMarker(artifact: unknown): ResultMarker | undefined {
  return isRecord(artifact) ? readResultMarker(artifact["toolcontract"]) : undefined;
}

/** Reads the escalation of a tool message's artifact. */
export function readEscalation(artifact: unknown): SerializedEscalation | undefined {
  const ours = isRecord(artifact) ? artifact["toolcontract"] : undefined;
  return isRecord(ours) ? toEscalation(ours["escalation"]) : undefined;
}

/** Takes foreign data for an escalation where it has the members that are read. */
export function toEscalation(value: unknown): SerializedEscalation | undefined {
  if (!isRecord(value) || value["status"] !== "blocked") return undefined;
  const texts = ["toolName", "toolCallId", "summary"].map((name) => value[name]);
  if (!texts.every((text) => typeof text === "string")) return undefined;
  if (typeof value["attempts"] !== "number" || !Array.isArray(value["history"])) return undefined;
  return value as unknown as SerializedEscalation;
}
