import { defineComponent, onMounted, onUnmounted, shallowRef, useTemplateRef, watch } from "vue";
import { createEditor, type Editor, type Mark } from "../editors/index.ts";
import type { Span } from "../json/index.ts";

interface TextEditorProps {
  readonly label: "Tool" | "Call" | "Tools";
  readonly text: string;
  readonly language: "json" | "zod";
  /** What the editor completes: the keywords of JSON Schema, or the keys and values of this schema. */
  readonly completes: "json-schema" | "arguments";
  readonly schema?: unknown;
  readonly fault?: string | undefined;
  /** What is underlined. */
  readonly marks?: readonly Mark[];
  /** A range to go to; a new object each time. */
  readonly goTo?: Span | undefined;
  readonly onEdit: (text: string) => void;
  /** What is shown again if the reader undoes the next change of `text`. */
  readonly before?: unknown;
  readonly onUndo?: (before: unknown) => void;
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
      const onUndo = (before: unknown): void => props.onUndo?.(before);
      const parent = place.value;
      editor.value = createEditor({ parent, label, text, completes, onChange, onUndo });
    });
    onUnmounted(() => editor.value?.destroy());
    watch([editor, () => props.text], ([made, text]) => made?.setText(text, props.before));
    watch([editor, () => props.language], ([made, language]) => made?.setLanguage(language));
    watch([editor, () => props.schema], ([made, schema]) => made?.setSchema(schema));
    watch([editor, () => props.fault], ([made, fault]) => made?.setFault(fault));
    watch([editor, () => props.marks], ([made, marks]) => made?.setMarks(marks ?? []));
    watch(
      () => props.goTo,
      (span) => span && editor.value?.select(span),
    );
    return () => <div ref="place" class="pg-editor" />;
  },
  {
    props: [
      "label",
      "text",
      "language",
      "completes",
      "schema",
      "fault",
      "marks",
      "goTo",
      "onEdit",
      "before",
      "onUndo",
    ],
  },
);
