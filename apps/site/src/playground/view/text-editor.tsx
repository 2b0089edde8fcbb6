import { defineComponent, onMounted, onUnmounted, shallowRef, useTemplateRef, watch } from "vue";
import { createEditor, type Editor } from "../editors/index.ts";

interface TextEditorProps {
  readonly label: "Tool" | "Call" | "Tools";
  readonly text: string;
  readonly language: "json" | "zod";
  /** What the editor completes: the keywords of JSON Schema, or the keys and values of this schema. */
  readonly completes: "json-schema" | "arguments";
  readonly schema?: unknown;
  readonly fault?: string | undefined;
  readonly onEdit: (text: string) => void;
}

/** A CodeMirror editor as a component. */
export const TextEditor = defineComponent(
  (props: TextEditorProps) => {
    const place = useTemplateRef<HTMLElement>("place");
    const editor = shallowRef<Editor>();
    onMounted(() => {
      if (place.value === null) return;
      const { label, text, completes } = props;
      const onChange = (changed: string): void => props.onEdit(changed);
      editor.value = createEditor({ parent: place.value, label, text, completes, onChange });
    });
    onUnmounted(() => editor.value?.destroy());
    watch([editor, () => props.text], ([made, text]) => made?.setText(text));
    watch([editor, () => props.language], ([made, language]) => made?.setLanguage(language));
    watch([editor, () => props.schema], ([made, schema]) => made?.setSchema(schema));
    watch([editor, () => props.fault], ([made, fault]) => made?.setFault(fault));
    return () => <div ref="place" class="pg-editor" />;
  },
  { props: ["label", "text", "language", "completes", "schema", "fault", "onEdit"] },
);
