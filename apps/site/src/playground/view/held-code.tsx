import { componentOf } from "./component-of.ts";

/** Asks before code that somebody else wrote runs. */
export const HeldCode = componentOf(
  ({ isHeld, runHeld }) =>
    () =>
      isHeld.value ? (
        <div class="pg-panel pg-held" role="region" aria-label="Code in this link">
          <p>
            This link holds code, shown below. It runs in this browser, in a sandbox that can
            neither read this site nor reach the network, and only if you say so.
          </p>
          <button type="button" class="pg-primary" onClick={runHeld}>
            Run the code of this link
          </button>
        </div>
      ) : undefined,
);
