import { useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { defineComponent, h, onMounted, watchPostEffect } from "vue";
import { NotFound } from "./not-found.tsx";

/** The default layout, with a main landmark on the first page too. */
export const Layout = defineComponent(() => {
  const { frontmatter } = useData();
  onMounted(() => {
    watchPostEffect(() => {
      const content = document.querySelector("#VPContent");
      if (frontmatter.value["layout"] === "home") content?.setAttribute("role", "main");
      else content?.removeAttribute("role");
    });
  });
  return () => h(DefaultTheme.Layout, null, { "not-found": () => h(NotFound) });
});
