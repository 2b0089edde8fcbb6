import { type Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { Layout } from "./layout.ts";
import { PlaygroundPlace } from "./playground-place.tsx";
import { TryIt } from "./try-it.tsx";
import "./accessible.css";
import "./typeface.css";
import "./code.css";
import "./pages.css";

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component("TryIt", TryIt);
    app.component("Playground", PlaygroundPlace);
  },
};

export default theme;
