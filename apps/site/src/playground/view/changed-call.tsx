import type { FunctionalComponent } from "vue";
import type { Turn } from "../engine/index.ts";

/** What the hints changed in the call, and what the model still has to fill in. */
export const ChangedCall: FunctionalComponent<{ readonly turn: Turn }> = ({ turn }) => {
  const { changes = [], placeholders } = turn;
  return (
    <>
      {changes.length === 0 ? undefined : (
        <div class="pg-changes">
          <h3>What the hints changed</h3>
          <ul>
            {changes.map(({ place, hint }) => (
              <li key={place} class={{ "is-open": hint === undefined }}>
                <code>{place}</code>{" "}
                {hint === undefined ? "no hint: the model fills this in" : `from the hint: ${hint}`}
              </li>
            ))}
          </ul>
        </div>
      )}
      {placeholders.length === 0 ? undefined : (
        <p class="pg-note">
          Only the model knows what goes into {placeholders.join(", ")}. Write it here in its place.
        </p>
      )}
    </>
  );
};
ChangedCall.props = ["turn"];
