import { onMounted, onUnmounted, type Ref, ref, type ShallowRef } from "vue";
import { type Example, EXAMPLES } from "../examples/index.ts";
import {
  decodeLink,
  encodeLink,
  type NamedState,
  type PlaygroundState,
  zodCodeOf,
} from "../state/index.ts";

/** What is shown, and the example it began with. */
export interface Shown {
  readonly state: PlaygroundState;
  readonly example?: NamedState;
  /** The link holds code, which the reader has not agreed to run. */
  readonly isHeld?: true;
}

/** The address of the page: a link to what is shown. */
export interface LinkModel {
  /** Why the address is not a link to what is shown, or why nothing could be read from it. */
  readonly linkFault: Ref<string | undefined>;
  /** Writes what is shown into the address, unless it came from there. */
  readonly writeLink: () => Promise<void>;
}

/** Code that ran since the page was loaded: "Back" leads to it, and begins the playground anew. */
const ran = new Set<string>();

/** Reads the address when the page is opened, and when the reader changes it. */
export function useLink(shown: ShallowRef<Shown>): LinkModel {
  const linkFault = ref<string>();
  /** What was read from the address; after a fault, what is shown instead. */
  let read: Shown | undefined;
  /** The fragment that was read or written last. */
  let known: string | undefined;

  async function writeLink(): Promise<void> {
    const { value: written } = shown;
    const code = zodCodeOf(written.state.tool);
    if (code !== undefined && written.isHeld !== true) ran.add(code);
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
    const next = "state" in found ? held(found) : await loadExample(EXAMPLES[0]);
    if (location.hash !== hash) return;
    known = hash;
    linkFault.value =
      "fault" in found && found.fault !== undefined
        ? `${found.fault} The first example is shown instead.`
        : undefined;
    read = hash === "" ? undefined : next;
    shown.value = next;
  }

  /** Somebody else may have written the code of a link. */
  function held(found: Shown): Shown {
    const code = zodCodeOf(found.state.tool);
    const isOurs = code === undefined || found.example !== undefined || ran.has(code);
    return isOurs ? found : { ...found, isHeld: true };
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
  if (found === undefined || "fault" in found) return found ?? {};
  if ("state" in found) return found;
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
