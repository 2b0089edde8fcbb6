import { computed, shallowRef, watch } from "vue";
import type { PlaygroundState } from "../state/index.ts";
import { ChangedCall } from "./changed-call.tsx";
import { componentOf } from "./component-of.ts";
import { Field } from "./field.tsx";
import { languageOf } from "../pastes/index.ts";
import { TextEditor } from "./text-editor.tsx";
import type { Shown } from "./use-link.ts";

/** What goes in: the tool, and what the model sent. */
export const TextEditors = componentOf(({ shown, state, replay, change, marks, goneTo }) => {
  const language = computed(() => state.value.tool.language);
  const readAs = computed(() => replay.value?.tool?.readAs);
  const turn = computed(() => replay.value?.turns.at(-1));
  /** An example changes tool and call together, and so does undoing it. */
  const before = shallowRef<Shown>();
  watch(shown, (_, last) => (before.value = last), { flush: "sync" });
  const restore = (last: unknown): void => void (shown.value = last as Shown);

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
                <option value="zod">TypeScript: zod, valibot</option>
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
          before={before.value}
          onUndo={restore}
          onEdit={(text) => change({ tool: { language: languageOf(text, language.value), text } })}
        />
        <p class="pg-note">
          {readAs.value === undefined ? undefined : `Read as ${readAs.value}.`}{" "}
          {faultsOf("Tool", "note")}
        </p>
      </section>
      <section class="pg-panel">
        <div class="pg-bar">
          <h2>Call</h2>
          <span class="pg-note">arguments, or a whole answer, request or stream</span>
        </div>
        <TextEditor
          label="Call"
          text={state.value.call}
          language="json"
          completes="arguments"
          schema={replay.value?.tool?.schema}
          fault={faultsOf("Call", "error")}
          marks={marks.value}
          goTo={goneTo.value}
          before={before.value}
          onUndo={restore}
          onEdit={(call) => change({ call })}
        />
        <p class="pg-note">{faultsOf("Call", "note")}</p>
        {turn.value === undefined ? undefined : <ChangedCall turn={turn.value} />}
      </section>
    </>
  );
});
