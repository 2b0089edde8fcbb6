import { defineAsyncComponent, defineComponent, onMounted, onUnmounted, ref } from "vue";
import { isLintLink } from "../state/index.ts";
import { CallTab } from "./call-tab.tsx";
import "../playground.css";

type Tab = "call" | "lint";

const TABS: readonly (readonly [tab: Tab, words: string])[] = [
  ["call", "A call"],
  ["lint", "Lint tools"],
];

// Most readers come for a call.
const LintTab = defineAsyncComponent(async () => (await import("./lint-tab.tsx")).LintTab);

/** The part of the page that moves: a call, or tools before they are called. The address says which. */
export const Playground = defineComponent(() => {
  const tab = ref<Tab>(tabOf(location.hash));
  /** What the address said when the reader left a tab. */
  const left: Record<Tab, string> = { call: "", lint: "#lint" };

  function choose(next: Tab): void {
    if (next === tab.value) return;
    left[tab.value] = location.hash;
    history.pushState(history.state, "", location.pathname + location.search + left[next]);
    tab.value = next;
  }

  const follow = (): void => void (tab.value = tabOf(location.hash));
  onMounted(() => ["hashchange", "popstate"].forEach((event) => addEventListener(event, follow)));
  onUnmounted(() =>
    ["hashchange", "popstate"].forEach((event) => removeEventListener(event, follow)),
  );

  return () => (
    <>
      <div class="pg-tabs" role="group" aria-label="What to try">
        {TABS.map(([name, words]) => (
          <button
            key={name}
            type="button"
            aria-pressed={tab.value === name}
            onClick={() => choose(name)}
          >
            {words}
          </button>
        ))}
      </div>
      {tab.value === "call" ? <CallTab /> : <LintTab />}
    </>
  );
});

function tabOf(hash: string): Tab {
  return isLintLink(hash.slice(1)) ? "lint" : "call";
}
