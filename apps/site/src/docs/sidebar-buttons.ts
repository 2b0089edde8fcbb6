import { type Plugin } from "vitepress";

const NESTED = `role="button"
        aria-label="toggle section"
        @click="onCaretClick"
        @keydown.enter="onCaretClick"
        tabindex="0"`;

/** The default theme puts a button into the button that a group of the sidebar is: here it is only an arrow. */
export function sidebarButtons(): Plugin {
  return {
    name: "sidebar-buttons",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/VPSidebarItem.vue")) return;
      if (!code.includes(NESTED)) throw new Error("VitePress has changed its VPSidebarItem.vue.");
      return code.replace(NESTED, '@click="onCaretClick"');
    },
  };
}
