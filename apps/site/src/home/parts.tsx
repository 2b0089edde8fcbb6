import type { FunctionalComponent } from "vue";
import type { HomePart } from "./home-data.ts";

/** A text whose faults light up once, in the order of the call. */
export const Parts: FunctionalComponent<{ readonly parts: readonly HomePart[] }> = ({ parts }) =>
  parts.map(({ text, fault }) =>
    fault === undefined ? (
      text
    ) : (
      <span class="landing-fault" style={{ "--turn": fault }}>
        {text}
      </span>
    ),
  );
Parts.props = ["parts"];
