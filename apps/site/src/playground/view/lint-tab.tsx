import { defineComponent, onMounted, onUnmounted, ref, shallowRef, watch } from "vue";
import { createLintClient, LINT_EXAMPLE, type LintedText } from "../linting/index.ts";
import { decodeLintLink, encodeLintLink, isLintLink } from "../state/index.ts";
import { LintReport } from "./lint-report.tsx";
import { TextEditor } from "./text-editor.tsx";
import "./lint-tab.css";

/** Nothing is linted while somebody types, in milliseconds. */
const PAUSE = 200;

/** Tools before they are called: pasted on the left, what models will get wrong on the right. */
export const LintTab = defineComponent(() => {
  const text = ref(LINT_EXAMPLE);
  const linted = shallowRef<LintedText>();
  const note = ref<string>();
  const client = createLintClient();
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The fragment that was read or written last. */
  let known: string | undefined;

  async function lint(): Promise<void> {
    const asked = text.value;
    const answer = await client.lint(asked).catch(failed);
    if (asked === text.value && answer !== undefined) linted.value = answer;
  }

  async function writeLink(): Promise<void> {
    const written = text.value;
    const link = written === LINT_EXAMPLE ? { fragment: "lint" } : await encodeLintLink(written);
    if (written !== text.value || !isLintLink(location.hash.slice(1))) return;
    note.value = "fault" in link ? link.fault : undefined;
    known = "fault" in link ? "#lint" : `#${link.fragment}`;
    history.replaceState(history.state, "", location.pathname + location.search + known);
  }

  async function readLink(): Promise<void> {
    const { hash } = location;
    if (hash === known || !isLintLink(hash.slice(1))) return;
    const read = await decodeLintLink(hash.slice(1));
    if (location.hash !== hash) return;
    known = hash;
    note.value = read && "fault" in read ? `${read.fault} An example is shown instead.` : undefined;
    text.value = read && "text" in read ? read.text : LINT_EXAMPLE;
  }

  async function copyLink(): Promise<void> {
    await writeLink();
    try {
      await navigator.clipboard.writeText(location.href);
      note.value ??= "The link is copied.";
    } catch {
      note.value = "The browser does not allow copying. The address of this page is the link.";
    }
  }

  function failed(reason: unknown): LintedText | undefined {
    if (reason instanceof DOMException) return undefined;
    return { fault: reason instanceof Error ? reason.message : String(reason) };
  }

  watch(text, () => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      void lint();
      void writeLink();
    }, PAUSE);
  });
  const onHashChange = (): void => void readLink();
  onMounted(async () => {
    addEventListener("hashchange", onHashChange);
    await readLink();
    void lint();
  });
  onUnmounted(() => {
    removeEventListener("hashchange", onHashChange);
    clearTimeout(pause);
    client.stop();
  });

  return () => (
    <div class="pg-columns">
      <section class="pg-panel">
        <div class="pg-bar">
          <h2>Tools</h2>
          <button type="button" onClick={() => void copyLink()}>
            Copy link
          </button>
        </div>
        <p class="pg-note">
          Paste what a server answers to <code>tools/list</code>, the tools of a request to OpenAI,
          Anthropic or Gemini, or a JSON Schema.
        </p>
        <TextEditor
          label="Tools"
          text={text.value}
          language="json"
          completes="json-schema"
          fault={linted.value && "fault" in linted.value ? linted.value.fault : undefined}
          onEdit={(edited) => (text.value = edited)}
        />
        <p class="pg-note" aria-live="polite">
          {note.value}
        </p>
      </section>
      <section class="pg-panel pg-answers">
        <h2>What models will get wrong</h2>
        <LintReport linted={linted.value} />
      </section>
    </div>
  );
});
