import type { VNode } from "vue";
import { OPTION_RANGES, type PlaygroundOptions } from "../state/index.ts";
import { componentOf } from "./component-of.ts";
import { Field } from "./field.tsx";

type OptionName = keyof PlaygroundOptions;

const LABELS: Readonly<Record<OptionName, string>> = {
  style: "Style",
  maxAttempts: "Attempts",
  maxErrors: "Errors in a message",
  maxLength: "Characters in a message",
  maxValuePreview: "Characters of a value",
  unknownFields: "Unknown fields",
  onBlocked: "Valid arguments once blocked",
  repairJson: "Repair JSON",
  closeDangling: "Close open brackets",
  unwrapStrings: "Parse strings that hold JSON",
  redact: "Also hide fields named",
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
      <h2>Options</h2>
      <div class="pg-options">
        {names.map((name) => (
          <Field key={name} id={`pg-${name}`} label={LABELS[name]} control={control(name)} />
        ))}
      </div>
    </section>
  );
});
