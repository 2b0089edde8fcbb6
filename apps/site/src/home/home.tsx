import { withBase } from "vitepress";
import { defineComponent, ref } from "vue";
import { Choices } from "./choices.tsx";
import { data } from "./home.data.ts";
import recording from "../../../demo/recording.svg?url";
import { Hosts } from "./hosts.tsx";
import { Parts } from "./parts.tsx";
import { Matrix } from "./matrix.tsx";
import "./home.css";

const HOSTS = [
  ["Vercel AI SDK", "/docs/getting-started.html#vercel-ai-sdk"],
  ["LangChain", "/docs/getting-started.html#langchain"],
  ["any MCP server", "/docs/getting-started.html#any-mcp-server"],
  ["your own loop", "/docs/your-own-loop.html"],
] as const;

const INSTALL = "npm install @toolcontract/core";

/** The first screen: what it is, the same bad call answered twice, and what was counted. */
export const Home = defineComponent(() => {
  const framework = ref(0);
  const isCopied = ref(false);

  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(INSTALL);
    isCopied.value = true;
  }

  return () => {
    const today = data.today[framework.value];
    return (
      <div class="landing">
        <div class="landing-head">
          <h1>Tool calls that fail, explained to the model</h1>
          <p class="landing-sentence">
            When a model gets a tool call wrong, Toolcontract sends it one short message with every
            error and its fix, and stops it after three tries. When a call is right,{" "}
            <a href={withBase("/packages/guardrails/")}>guardrails</a> say whether it may run, may
            spend, or needs a person. In TypeScript, for the{" "}
            {HOSTS.map(([name, link], index) => (
              <>
                {index === 0 ? "" : index === HOSTS.length - 1 ? " and " : ", "}
                <a href={withBase(link)}>{name}</a>
              </>
            ))}
            .
          </p>
          <div class="landing-actions">
            <a class="landing-button is-brand" href={withBase("/playground/")}>
              Try it in the playground
            </a>
            <a class="landing-button" href={withBase("/docs/getting-started.html")}>
              Getting started
            </a>
            <span class="landing-install">
              <code>{INSTALL}</code>
              <button type="button" onClick={() => void copy()}>
                {isCopied.value ? "Copied" : "Copy"}
              </button>
              <small>not on npm yet: run it from the repository</small>
            </span>
            <a class="landing-when" href="#when-not-to-use-it">
              When not to use it
            </a>
          </div>
        </div>
        <p class="landing-call">
          A model calls <code>write_file</code>, gets three things wrong, and has a password in the
          call:{" "}
          <code>
            <Parts parts={data.call} />
          </code>
        </p>
        <div class="landing-sides">
          <section class="landing-side is-today">
            <div class="landing-bar">
              <h2>Today it reads this</h2>
              <Choices
                label="Framework"
                names={data.today.map(({ name }) => name)}
                chosen={framework.value}
                onChoose={(index) => (framework.value = index)}
              />
            </div>
            <pre tabindex="0">{today?.text}</pre>
          </section>
          <section class="landing-side is-contract">
            <div class="landing-bar">
              <h2>With the contract it reads this</h2>
            </div>
            <pre tabindex="0">
              <Parts parts={data.contract} />
            </pre>
          </section>
        </div>
        <Hosts />
        <Matrix />
        <section class="landing-demo">
          <h2>The demo, in a terminal</h2>
          <p>
            <code>npx -y pnpm@12 demo --scenario ai-sdk-card-number</code> in a clone of the
            repository: the real AI SDK, a scripted model, no key.
          </p>
          <img
            src={recording}
            width="928"
            height="652"
            loading="lazy"
            alt="One call with three faults, a card number and a token: what a model reads without and with Toolcontract, and its next call"
          />
        </section>
        <section class="landing-not">
          <h2 id="when-not-to-use-it">When not to use it</h2>
          <ul>
            <li>Your tools are not in TypeScript or JavaScript, and are not MCP servers.</li>
            <li>
              Your provider's strict mode takes all your schemas: it prevents wrong types and
              missing fields by itself. It does not check ranges, patterns or your own rules.
            </li>
            <li>
              Tokens are all that counts: an answer of the MCP SDK is a third as long. It names the
              fix of fewer errors.
            </li>
            <li>Nobody reads the answer: the run ends at the first invalid call.</li>
          </ul>
          <p>
            zod's own message, <code>maxRetries</code>, <code>repairToolCall</code>, a prompt:{" "}
            <a href={withBase("/docs/why-not-just.html")}>why not just use one of them</a>. Where
            others win, by numbers: <a href={withBase("/docs/compared.html")}>compared</a>.
          </p>
        </section>
      </div>
    );
  };
});
