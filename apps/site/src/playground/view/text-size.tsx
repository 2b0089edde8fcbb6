import { defineComponent, shallowRef, watchEffect } from "vue";
import { createTokenCounter, tokensInWords } from "../tokens/index.ts";

/** One counter for the page: the tokenizer is loaded once, for the first string whose count is unknown. */
const counter = createTokenCounter();

/** The size of a string for a model: its tokens in o200k, counted, and its characters. */
export const TextSize = defineComponent(
  (props: { readonly name?: string; readonly text: string }) => {
    const tokens = shallowRef<string>();
    watchEffect((onCleanup) => {
      let isOld = false;
      onCleanup(() => (isOld = true));
      void countInWords(props.text).then((words) => {
        if (!isOld) tokens.value = words;
      });
    });
    return () => (
      <span class="pg-size">
        {props.name === undefined ? "" : `${props.name}: `}
        {props.text.length.toLocaleString("en")} characters,{" "}
        {tokens.value ?? "tokens are being counted"}
      </span>
    );
  },
  { props: ["name", "text"] },
);

async function countInWords(text: string): Promise<string> {
  try {
    return tokensInWords(await counter.count(text));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
