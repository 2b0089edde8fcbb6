import { type DefaultTheme } from "vitepress";

type Render = NonNullable<DefaultTheme.LocalSearchOptions["_render"]>;

/** Pages that name everything, and would be found before the page that explains it. */
const LISTS = new Set(["docs/README.md", "docs/requirements.md"]);

/** A page for the index: nobody sees the colours of its code, and they take most of the time. */
const renderText: Render = (source, env, md) => {
  if (LISTS.has(env.relativePath)) return "";
  const { highlight } = md.options;
  md.set({ highlight: null });
  try {
    return md.render(source, env);
  } finally {
    md.set({ highlight });
  }
};

/**
 * The search of VitePress, which runs in the browser on an index that is built with the pages. No function may be among
 * the options for the browser: VitePress sends it as text and evaluates it, which the policy forbids.
 */
export const search: NonNullable<DefaultTheme.Config["search"]> = {
  provider: "local",
  options: {
    _render: renderText,
    miniSearch: { searchOptions: { boost: { title: 10, titles: 2, text: 1 }, fuzzy: 0.15 } },
  },
};
