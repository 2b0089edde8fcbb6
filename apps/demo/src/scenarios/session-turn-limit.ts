import { claimLastTurn, endlessSearch } from "../session/endless-search.ts";
import { onSdkSession } from "../session/sdk-session.ts";

/** A model that would go on for ever: in its last turn it is asked for a report, and gives one. */
export const sessionTurnLimit = onSdkSession({
  ...endlessSearch,
  name: "session-turn-limit",
  title: "The turn limit, with an answer",
  story:
    "At a limit of steps the loop just stops: three requests are paid, and there is no answer.",
  verify(scene, claim) {
    claim("without a session the answer is empty", scene.bare.text === "", scene.bare.text);
    claimLastTurn(scene, claim);
  },
});
