import { type Component, defineComponent, h, onMounted, ref, shallowRef } from "vue";
import { FirstMessage } from "../../src/playground/first/index.ts";
import { Loading, NotLoaded } from "./loading.tsx";

/** Where the playground will be: the first message is in the page, and a script brings the rest. */
export const PlaygroundPlace = defineComponent(() => {
  const playground = shallowRef<Component>();
  const isBroken = ref(false);
  // A link shows something else, which only a script can read.
  const isLink = ref(false);
  onMounted(async () => {
    // Its workers need not be bundled twice.
    if (import.meta.env.SSR) return;
    isLink.value = location.hash !== "";
    try {
      playground.value = (await import("../../src/playground/view/index.ts")).Playground;
    } catch {
      isBroken.value = true;
    }
  });
  return () => {
    const { value: Loaded } = playground;
    if (Loaded !== undefined) return h(Loaded);
    if (isBroken.value) return <NotLoaded />;
    return isLink.value ? <Loading /> : <FirstMessage />;
  };
});
