import { onMounted, onUnmounted, type Ref, ref, type ShallowRef } from "vue";
import { type Example, EXAMPLES } from "../examples/index.ts";
import { decodeLink, encodeLink, type NamedState, type PlaygroundState } from "../state/index.ts";

/** What is shown, and the example it began with. */
export interface Shown {
  readonly state: PlaygroundState;
  readonly example?: NamedState;
}

/** The address of the page: a link to what is shown. */
export interface LinkModel {
  /** Why the address is no link to what is shown, or why nothing could be read from it. */
  readonly linkFault: Ref<string | undefined>;
  /** Writes what is shown into the address, unless it came from there. */
  readonly writeLink: () => Promise<void>;
}

/** Reads the address when the page is opened, and when the reader changes it. */
export function useLink(shown: ShallowRef<Shown>): LinkModel {
  const linkFault = ref<string>();
  /** What was read from the address; after a fault, what is shown instead. */
  let read: Shown | undefined;
  /** The fragment that was read or written last. */
  let known: string | undefined;

  async function writeLink(): Promise<void> {
    const { value: written } = shown;
    if (written === read) return;
    const link = await encodeLink(written.state, written.example);
    if (shown.value !== written) return;
    linkFault.value = "fault" in link ? link.fault : undefined;
    known = "fault" in link ? "" : `#${link.fragment}`;
    if (location.hash === known) return;
    // From an example that is chosen, "Back" leads to what was typed before.
    const isChosen = written.state === written.example?.state && location.hash !== "";
    const write = isChosen ? "pushState" : "replaceState";
    history[write](history.state, "", location.pathname + location.search + known);
  }

  async function readLink(): Promise<void> {
    const { hash } = location;
    if (hash === known) return;
    const found = await readFragment(hash.slice(1));
    const next = "state" in found ? found : await loadExample(EXAMPLES[0]);
    if (location.hash !== hash) return;
    known = hash;
    linkFault.value =
      "fault" in found && found.fault !== undefined
        ? `${found.fault} The first example is shown instead.`
        : undefined;
    read = hash === "" ? undefined : next;
    shown.value = next;
  }

  const onHashChange = (): void => void readLink();
  onMounted(() => {
    addEventListener("hashchange", onHashChange);
    void readLink();
  });
  onUnmounted(() => removeEventListener("hashchange", onHashChange));
  return { linkFault, writeLink };
}

async function readFragment(fragment: string): Promise<Shown | { readonly fault?: string }> {
  const found = await decodeLink(fragment);
  if (found === undefined || !("example" in found)) return found ?? {};
  const example = EXAMPLES.find(({ id }) => id === found.example);
  return example === undefined
    ? { fault: `There is no example named "${found.example}".` }
    : loadExample(example);
}

/** Loads what an example begins with. */
export async function loadExample({ id, load }: Example): Promise<Shown> {
  const state = await load();
  return { state, example: { id, state } };
}
