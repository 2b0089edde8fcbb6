import { useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineComponent, h, onMounted, watchPostEffect } from "vue";
import { Home } from "../../src/home/index.ts";
import { NotFound } from "./not-found.tsx";

/** The default layout, with a main landmark on the first page too, and with types in code for keys and fingers. */
export const Layout = defineComponent(() => {
  const { frontmatter } = useData();
  let reachable: Promise<void> | undefined;
  onMounted(() => {
    watchPostEffect(() => {
      const content = document.querySelector("#VPContent");
      if (frontmatter.value["layout"] === "home") content?.setAttribute("role", "main");
      else content?.removeAttribute("role");
      // The playground has no such code.
      if (frontmatter.value["layout"] !== "page") reachable ??= loadReachTypes();
    });
  });
  return () =>
    h(DefaultTheme.Layout, null, {
      "home-hero-before": () => h(Home),
      "not-found": () => h(NotFound),
    });
});

async function loadReachTypes(): Promise<void> {
  const { reachTypes } = await import("./reach-types.ts");
  reachTypes();
}
