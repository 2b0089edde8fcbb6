/** How far each key goes among the names of a block. */
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

const POPUP_ID = "type-of-name";

/** The name that was focused last; there the keys go on. */
let reached: HTMLElement | undefined;

/**
 * Lets keys and fingers reach the types in code, which the style sheet shows below the pointer and the focus: arrows go from
 * name to name of the block that has the focus, Escape goes back to the block, and a tap goes to a name or away from it.
 */
export function reachTypes(): void {
  addEventListener("keydown", onKey);
  // A browser need not send clicks for what is neither a link nor a control.
  addEventListener("pointerup", onPointer);
}

function onKey(event: KeyboardEvent): void {
  const { altKey, ctrlKey, key, metaKey, shiftKey, target } = event;
  const block = target instanceof Element ? target.closest<HTMLElement>("pre") : null;
  if (!block) return;
  const selectsAll = key === "a" && (ctrlKey || metaKey);
  // A type that is shown would be copied with the program.
  if (key === "Escape" || selectsAll) block.focus({ preventScroll: true });
  const step = STEPS[key];
  if (step === undefined || altKey || ctrlKey || metaKey || shiftKey) return;
  const names = [...block.querySelectorAll<HTMLElement>(".typed")];
  const last = names.findIndex((name) => name === reached);
  const next = names[target === block ? Math.max(last, 0) : last + step];
  // After the last name, and before the first one, the keys scroll as usual.
  if (next === undefined) return;
  event.preventDefault();
  reach(next);
}

function onPointer({ pointerType, target }: PointerEvent): void {
  if (pointerType !== "touch" || !(target instanceof Element)) return;
  const name = target.closest<HTMLElement>(".typed");
  if (name) reach(name);
  else if (document.activeElement === reached) reached?.blur();
}

/** Focuses a name, and describes it with its type. */
function reach(name: HTMLElement): void {
  reached?.removeAttribute("tabindex");
  reached?.removeAttribute("aria-describedby");
  document.querySelector(`#${POPUP_ID}`)?.removeAttribute("id");
  reached = name;
  const popup = name.querySelector(".popup");
  popup?.setAttribute("id", POPUP_ID);
  // What is shown within the name would be read as a part of it.
  popup?.setAttribute("aria-hidden", "true");
  name.setAttribute("aria-describedby", POPUP_ID);
  name.tabIndex = -1;
  name.focus();
}
