import { join, resolve } from "node:path";
import { defineConfig } from "vitepress";
import { imagesAsFiles } from "./images-as-files.ts";

const SITE = resolve(import.meta.dirname, "..");
const ROOT = resolve(SITE, "../..");

export default defineConfig({
  title: "Toolcontract",
  description: "One contract between model, tools and host.",
  lang: "en",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }]],
  // Every page lives at its path in the repository, so that relative links hold on both sides.
  srcDir: ROOT,
  outDir: join(SITE, "dist"),
  cacheDir: join(SITE, "node_modules/.cache"),
  srcExclude: ["README.md", "**/CHANGELOG.md", ".changeset/**", "**/src/**", "**/.artifacts/**"],
  rewrites: (page) =>
    page.replace(/^apps\/site\/pages\//, "").replace(/(^|\/)README\.md$/, "$1index.md"),
  ignoreDeadLinks: true,
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Playground", link: "/playground/" },
      { text: "Docs", link: "/docs/" },
    ],
  },
  vite: {
    publicDir: join(SITE, "public"),
    // Workers load parts of themselves later.
    worker: { format: "es" },
    resolve: {
      alias: [
        // A quarter of the engine, and never used: the page's policy forbids what it compiles.
        {
          find: /^ajv(\/dist\/20(19|20)\.js)?$/,
          replacement: join(SITE, "src/playground/worker/no-ajv.ts"),
        },
      ],
    },
    esbuild: { jsx: "automatic", jsxImportSource: "vue" },
    // Under the policy of the site, `data:` is another origin.
    build: { assetsInlineLimit: 0 },
    plugins: [imagesAsFiles()],
  },
});
