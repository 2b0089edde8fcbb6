import { type Plugin } from "vitepress";

/** The playground and the search, which a page loads once it is in the browser. */
const LOADED_LATER = /(?:\/playground\/view\/index\.ts|\/VPLocalSearchBox\.vue)$/;
const ID = "\0browser-only";

/** Leaves these out of the bundle that renders the pages, which would bundle them and index every page a second time. */
export function browserOnly(): Plugin {
  return {
    name: "browser-only",
    enforce: "pre",
    // No browser loads that bundle, so it need not be small.
    config: (_, { isSsrBuild }) =>
      isSsrBuild === true ? { build: { rollupOptions: { treeshake: false } } } : {},
    resolveId: (source, _, { ssr }) => (ssr === true && LOADED_LATER.test(source) ? ID : undefined),
    load: (id) =>
      id === ID ? "export const Playground = undefined; export default undefined;" : undefined,
  };
}
