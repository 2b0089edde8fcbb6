import { computed } from "vue";
import type { PlaygroundState } from "../state/index.ts";
import { ChangedCall } from "./changed-call.tsx";
import { componentOf } from "./component-of.ts";
import { Field } from "./field.tsx";
import { TextEditor } from "./text-editor.tsx";

/** What goes in: the tool, and what the model sent. */
export const TextEditors = componentOf(({ state, replay, change }) => {
  const language = computed(() => state.value.tool.language);
  const readAs = computed(() => replay.value?.tool?.readAs);
  const turn = computed(() => replay.value?.turns.at(-1));

  function faultsOf(place: "Tool" | "Call", severity: "error" | "note"): string | undefined {
    const found = replay.value?.faults.filter(
      (fault) => fault.place === place && fault.severity === severity,
    );
    return found?.[0] && found.map(({ message }) => message).join(" ");
  }

  function setLanguage(event: Event): void {
    const { value } = event.target as HTMLSelectElement;
    change({
      tool: { ...state.value.tool, language: value as PlaygroundState["tool"]["language"] },
    });
  }

  return () => (
    <>
      <section class="pg-panel pg-tool">
        <div class="pg-bar">
          <h2>Tool</h2>
          <Field
            id="pg-language"
            label="Written in"
            control={
              <select value={language.value} onChange={setLanguage}>
                <option value="json">JSON Schema</option>
                <option value="zod">zod</option>
              </select>
            }
          />
        </div>
        <TextEditor
          label="Tool"
          text={state.value.tool.text}
          language={language.value}
          completes="json-schema"
          fault={faultsOf("Tool", "error")}
          onEdit={(text) => change({ tool: { language: language.value, text } })}
        />
        <p class="pg-note">
          {readAs.value === undefined ? undefined : `Read as ${readAs.value}.`}{" "}
          {faultsOf("Tool", "note")}
        </p>
      </section>
      <section class="pg-panel">
        <div class="pg-bar">
          <h2>Call</h2>
          <span class="pg-note">the arguments, exactly as the model sent them</span>
        </div>
        <TextEditor
          label="Call"
          text={state.value.call}
          language="json"
          completes="arguments"
          schema={replay.value?.tool?.schema}
          fault={faultsOf("Call", "error")}
          onEdit={(call) => change({ call })}
        />
        <p class="pg-note">{faultsOf("Call", "note")}</p>
        {turn.value === undefined ? undefined : <ChangedCall turn={turn.value} />}
      </section>
    </>
  );
});
