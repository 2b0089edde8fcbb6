import { escalationsOf } from "@toolcontract/ai-sdk";
import { openMeetingRooms, threeFailures } from "../ai-sdk/meeting-rooms.ts";
import { onAiSdk } from "../ai-sdk/on-ai-sdk.ts";
import { callAt } from "../scenario.ts";

const question = "I could not book the room. On which day, and for how many people?";

/** Three failures in the SDK's loop: the tool is dropped from the list, and the model still answers. */
export const aiSdkDropTool = onAiSdk({
  name: "ai-sdk-drop-tool",
  title: "AI SDK: three failures, the tool is dropped, the model still answers",
  story: "The AI SDK keeps offering a tool however often its calls fail, and reports it to nobody.",
  openToolbox: openMeetingRooms,
  script: [
    ...threeFailures,
    {
      learned: ["Do not call 'book_room' again", "tell the user what is missing"],
      calls: [{ tool: "list_rooms", args: {} }],
    },
    { calls: [], says: question },
  ],
  verify(scene, claim) {
    const { withContract, withoutContract } = scene;
    const attempts = [1, 2, 3].map((turn) => callAt(scene, turn).handled.status);
    const [escalation, ...more] = escalationsOf(withContract.steps);
    const both = ["book_room", "list_rooms"];
    claim(
      "the third failure is blocked",
      attempts.join() === "rejected,rejected,blocked",
      attempts,
    );
    claim(
      "from then on the model is offered only the other tool",
      JSON.stringify(withContract.offered) ===
        JSON.stringify([both, both, both, ["list_rooms"], ["list_rooms"]]),
      withContract.offered,
    );
    claim(
      "without the contract it is offered the failing tool in every request",
      withoutContract.offered.every((names) => names.join() === both.join()),
      withoutContract.offered,
    );
    claim("the other tool still works", callAt(scene, 4).handled.status === "executed");
    claim("the model answers", withContract.steps.at(-1)?.text === question);
    claim(
      "the one escalation is in the result, with all three attempts",
      escalation?.attempts === 3 && more.length === 0 && scene.escalations.length === 1,
      escalation,
    );
    claim("the room was never booked", withContract.reached.length === 0);
  },
});
