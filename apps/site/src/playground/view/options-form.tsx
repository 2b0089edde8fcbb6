import type { VNode } from "vue";
import { OPTION_RANGES, type PlaygroundOptions } from "../state/index.ts";
import { componentOf } from "./component-of.ts";
import { Field } from "./field.tsx";

type OptionName = keyof PlaygroundOptions;

/** The name of each option in the form, and what it does. */
const WORDS: Readonly<Record<OptionName, readonly [label: string, sentence: string]>> = {
  style: ["Style", "Standard for most models; compact has the same facts in fewer tokens."],
  maxAttempts: ["Attempts", "After this many bad calls the tool is closed and a person reads why."],
  maxErrors: ["Errors in a message", "More are counted, and not listed."],
  maxLength: ["Characters in a message", "A longer message leaves out its last errors."],
  maxValuePreview: [
    "Characters of a value",
    "Longer values are cut where the message quotes them.",
  ],
  unknownFields: [
    "Unknown fields",
    "Do as the schema says, warn about them, or reject them in every schema.",
  ],
  onBlocked: [
    "Valid arguments once blocked",
    "Whether a valid call still runs after the last attempt.",
  ],
  repairJson: ["Repair JSON", "Missing quotes, fences and trailing commas do not cost an attempt."],
  closeDangling: [
    "Close open brackets",
    "Arguments that were cut off are completed. Off: they may be half of a file.",
  ],
  unwrapStrings: [
    "Parse strings that hold JSON",
    "An object or list that was sent as a string is read.",
  ],
  redact: ["Also hide fields named", "Secrets are hidden anyway."],
};

/** The contract's options as controls. */
export const OptionsForm = componentOf(({ state, change }) => {
  function set(name: OptionName, value: unknown): void {
    change({ options: { ...state.value.options, [name]: value } });
  }

  /** Puts back the last value if the new one is not allowed. */
  function setIfValid(name: OptionName, { target }: Event): void {
    const field = target as HTMLInputElement;
    const isValid = field.checkValidity() && (field.type !== "number" || field.value !== "");
    if (isValid) set(name, field.type === "number" ? field.valueAsNumber : field.value);
    else field.value = String(state.value.options[name]);
  }

  function control(name: OptionName): VNode {
    const range = OPTION_RANGES[name];
    const { [name]: value } = state.value.options;
    switch (range.kind) {
      case "choice":
        return (
          <select value={value} onChange={(event) => setIfValid(name, event)}>
            {range.values.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        );
      case "number":
        return (
          <input
            type="number"
            min={range.min}
            max={range.max}
            title={`${range.min} to ${range.max.toLocaleString("en")}`}
            value={value}
            onChange={(event) => setIfValid(name, event)}
          />
        );
      case "boolean":
        return (
          <input
            type="checkbox"
            checked={value === true}
            onChange={({ target }) => set(name, (target as HTMLInputElement).checked)}
          />
        );
      case "text":
        return (
          <input
            type="text"
            maxlength={range.maxLength}
            placeholder="iban, card_number"
            value={value}
            onInput={(event) => setIfValid(name, event)}
          />
        );
    }
  }

  const names = Object.keys(OPTION_RANGES) as readonly OptionName[];
  return () => (
    <section class="pg-panel">
      <details>
        <summary>
          <h2>Options</h2>
        </summary>
        <div class="pg-options">
          {names.map((name) => {
            const [label, sentence] = WORDS[name];
            return (
              <div key={name} class="pg-option">
                <Field id={`pg-${name}`} label={label} control={control(name)} />
                <p class="pg-note">{sentence}</p>
              </div>
            );
          })}
        </div>
      </details>
    </section>
  );
});
