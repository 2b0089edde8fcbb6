import { openMeetingRooms, threeFailures } from "../ai-sdk/meeting-rooms.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";

/** Three failures and `escalate: "throw"`: the application catches an error with all that a person needs. */
export const aiSdkThrow = onAiSdk({
  name: "ai-sdk-throw",
  title: 'AI SDK: three failures and escalate: "throw", the application catches an error',
  story:
    "Some applications want an exception when the attempts are used up; the AI SDK throws none.",
  escalate: "throw",
  openToolbox: openMeetingRooms,
  script: [...threeFailures, { calls: [], says: "I am sorry." }],
  verify({ escalations, withContract, withoutContract }, claim) {
    const escalation = withContract.thrown?.escalation;
    claim(
      "the run throws before a fourth request",
      withContract.thrown !== undefined && withContract.offered.length === 3,
      withContract.offered.length,
    );
    claim("the error is an EscalationError", withContract.thrown?.name === "EscalationError");
    claim(
      "it has the escalation that onEscalation got",
      escalation !== undefined && JSON.stringify(escalations) === JSON.stringify([escalation]),
      escalation,
    );
    claim(
      "with the tool, all three attempts and their faults",
      escalation?.toolName === "book_room" &&
        escalation.history.map(({ attempt }) => attempt).join() === "1,2,3",
      escalation?.history,
    );
    claim(
      "without the contract the run ends with an apology, and the application learns nothing",
      withoutContract.thrown === undefined && withoutContract.steps.at(-1)?.text === "I am sorry.",
    );
    claim("the room was never booked", withContract.reached.length === 0);
  },
});
