import { withBase } from "vitepress";
import { defineComponent, onMounted, ref } from "vue";

/** A link to the playground with what is in a fragment. The built page has it without: the fragment is no anchor there. */
export const TryIt = defineComponent(
  ({ fragment }: { readonly fragment: string }) => {
    const hash = ref("");
    onMounted(() => (hash.value = `#${fragment}`));
    return () => (
      <p>
        <a href={withBase("/playground/") + hash.value}>Try it in the playground</a>
      </p>
    );
  },
  { props: ["fragment"] },
);
