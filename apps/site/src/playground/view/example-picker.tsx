import { computed } from "vue";
import { EXAMPLES } from "../examples/index.ts";
import { componentOf } from "./component-of.ts";
import { Field } from "./field.tsx";
import { loadExample } from "./use-link.ts";

/** The examples to choose, with a sentence on what the chosen one shows. */
export const ExamplePicker = componentOf(({ shown }) => {
  const chosen = computed(() => {
    const { state, example } = shown.value;
    // Once the tool is changed, it is no longer the example.
    if (state.tool.text !== example?.state.tool.text) return undefined;
    return EXAMPLES.find(({ id }) => id === example.id);
  });

  async function choose(event: Event): Promise<void> {
    const { value } = event.target as HTMLSelectElement;
    const example = EXAMPLES.find(({ id }) => id === value);
    if (example !== undefined) shown.value = await loadExample(example);
  }

  return () => (
    <div class="pg-examples">
      <Field
        id="pg-example"
        label="Example"
        control={
          <select value={chosen.value?.id ?? ""} onChange={(event) => void choose(event)}>
            {chosen.value === undefined ? <option value="">your own</option> : undefined}
            {EXAMPLES.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        }
      />
      <p class="pg-note">{chosen.value?.sentence}</p>
    </div>
  );
});
