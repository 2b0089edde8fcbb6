import { withBase } from "vitepress";
import { computed, defineComponent, nextTick, ref, shallowRef, useTemplateRef } from "vue";
import { loadScenes, RECORD_COMMAND, type RecordedScene } from "../scenes/index.ts";
import { SceneLines } from "./scene-lines.tsx";
import "./scenes-panel.css";

const SECTIONS = [
  { about: "guardrails", title: "Guardrails", side: "With guardrails" },
  { about: "session", title: "Sessions", side: "With a session" },
] as const;

/** Scenes of guardrails and sessions, turn by turn, as the demo recorded them; they are loaded when it is opened. */
export const ScenesPanel = defineComponent(() => {
  const scenes = shallowRef<readonly RecordedScene[]>([]);
  const name = ref("");
  const shown = ref(1);
  const isBroken = ref(false);
  const turns = useTemplateRef<HTMLElement>("turns");
  const scene = computed(() => scenes.value.find((one) => one.name === name.value));

  async function load(): Promise<void> {
    try {
      scenes.value = await loadScenes();
      isBroken.value = false;
    } catch {
      isBroken.value = true;
      return;
    }
    const [first] = scenes.value;
    if (first) name.value = first.name;
  }

  function onToggle(event: Event): void {
    if ((event.target as HTMLDetailsElement).open && scenes.value.length === 0) void load();
  }

  function choose(event: Event): void {
    name.value = (event.target as HTMLSelectElement).value;
    shown.value = 1;
  }

  /** The focus follows to what is new, so that it is read next. */
  async function show(count: number): Promise<void> {
    shown.value = count;
    await nextTick();
    turns.value?.querySelector<HTMLElement>("li:last-child > h3")?.focus();
  }

  function choice() {
    return (
      <div class="pg-scene-choice">
        <label for="pg-scene">Scene</label>
        <select id="pg-scene" value={name.value} onChange={choose}>
          {SECTIONS.map(({ about, title }) => (
            <optgroup key={about} label={title}>
              {scenes.value
                .filter((one) => one.about === about)
                .map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.title}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </div>
    );
  }

  function player({ name: key, story, about, turns: all }: RecordedScene) {
    const side = SECTIONS.find((section) => section.about === about)?.side;
    return (
      <>
        <p class="pg-scene-story">{story}</p>
        <ol key={key} ref="turns" class="pg-scene">
          {all.slice(0, shown.value).map(({ today, contract }, index) => (
            <li key={index}>
              <h3 tabindex="-1">Turn {index + 1}</h3>
              <div class="pg-sides">
                <SceneLines title="Today" lines={today} />
                <SceneLines title={side ?? ""} lines={contract} />
              </div>
            </li>
          ))}
        </ol>
        <div class="pg-buttons">
          <button
            type="button"
            class="pg-primary"
            aria-describedby="pg-scene-place"
            disabled={shown.value >= all.length}
            onClick={() => void show(shown.value + 1)}
          >
            Next step
          </button>
          <button type="button" disabled={shown.value === 1} onClick={() => void show(1)}>
            From the start
          </button>
          <span id="pg-scene-place" class="pg-note">
            Turn {shown.value} of {all.length}
          </span>
        </div>
      </>
    );
  }

  return () => (
    <section class="pg-panel">
      <details onToggle={onToggle}>
        <summary>
          <h2>Guardrails and sessions</h2>
        </summary>
        <div class="pg-scenes">
          <p class="pg-note">
            What a <a href={withBase("/docs/guardrails.html")}>guardrail</a> refuses is undone,
            explained, and counted. A <a href={withBase("/docs/session.html")}>session</a> ends a
            whole run within its turns and within the context window. Both need Node, so this is a
            recording, written by <code>{RECORD_COMMAND}</code>: real frameworks, and a scripted
            model that sends the same on both sides, whatever it reads.
          </p>
          {isBroken.value ? <p>The scenes could not be loaded.</p> : undefined}
          {scenes.value.length > 0 ? choice() : undefined}
          {scene.value ? player(scene.value) : undefined}
        </div>
      </details>
    </section>
  );
});
