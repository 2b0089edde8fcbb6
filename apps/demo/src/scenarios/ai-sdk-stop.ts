import { escalationsOf } from "@toolcontract/ai-sdk";
import { openMeetingRooms, threeFailures } from "../ai-sdk/meeting-rooms.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import { callAt } from "../scenario.ts";

/** Three failures and `escalate: "stop"`: the loop ends, and the application reads why. */
export const aiSdkStop = onAiSdk({
  name: "ai-sdk-stop",
  title: 'AI SDK: three failures and escalate: "stop", the loop ends cleanly',
  story: "The AI SDK keeps asking the model, however often the same call fails.",
  escalate: "stop",
  openToolbox: openMeetingRooms,
  script: [...threeFailures, ...threeFailures],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const [escalation, ...more] = escalationsOf(withContract.steps);
    claim(
      "the run ends after the third request, with a result and without an exception",
      withContract.offered.length === 3 && withContract.thrown === undefined,
      withContract.offered.length,
    );
    claim(
      "without the contract the model is asked until its script ends",
      withoutContract.offered.length === 7,
      withoutContract.offered.length,
    );
    claim(
      "the one escalation is in the result, with all three attempts",
      escalation?.attempts === 3 && escalation.history.length === 3 && more.length === 0,
      escalation,
    );
    claim("the third answer is blocked", callAt(scene, 3).handled.status === "blocked");
    claim("the room was never booked", withContract.reached.length === 0);
  },
});
