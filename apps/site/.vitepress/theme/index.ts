import { type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineAsyncComponent } from "vue";
import { Layout } from "./layout.ts";
import { Loading, NotLoaded } from "./loading.tsx";
import { TryIt } from "./try-it.tsx";
import "./accessible.css";
import "./code.css";
import "./pages.css";

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component("TryIt", TryIt);
    // Nothing of it is rendered ahead, and its workers need not be bundled twice.
    if (import.meta.env.SSR) return;
    app.component(
      "Playground",
      defineAsyncComponent({
        loader: async () => (await import("../../src/playground/view/index.ts")).Playground,
        loadingComponent: Loading,
        errorComponent: NotLoaded,
      }),
    );
  },
};

export default theme;
