import { withBase } from "vitepress";
import { defineComponent, ref } from "vue";
import { Choices } from "./choices.tsx";
import { data } from "./home.data.ts";

/** What to write in each framework: its install line to copy, and its program. */
export const Hosts = defineComponent(() => {
  const chosen = ref(0);
  const copied = ref("");

  async function copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text);
    copied.value = text;
  }

  return () => {
    const host = data.hosts[chosen.value];
    return (
      <section class="landing-hosts">
        <div class="landing-bar">
          <h2>What you write</h2>
          <Choices
            label="Your framework"
            names={data.hosts.map(({ name }) => name)}
            chosen={chosen.value}
            onChoose={(index) => (chosen.value = index)}
          />
        </div>
        {host && (
          <>
            <div class="landing-line">
              <pre tabindex="0">{host.install}</pre>
              <button type="button" onClick={() => void copy(host.install)}>
                {copied.value === host.install ? "Copied" : "Copy"}
              </button>
            </div>
            <pre tabindex="0">{host.program}</pre>
            <p>
              Not on npm yet: until then it works in the repository.{" "}
              <a href={withBase(host.page)}>The whole page</a>, and{" "}
              <a href={withBase("/llms.txt")}>llms.txt</a> for an assistant that writes it.
            </p>
          </>
        )}
      </section>
    );
  };
});
