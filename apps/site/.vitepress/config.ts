import { join, resolve } from "node:path";
import { defineConfig } from "vitepress";
import { repositoryAddress } from "../../../scripts/release/address.ts";
import core from "../../../packages/core/package.json" with { type: "json" };
import { slugOf } from "../../../docs/markdown.ts";
import {
  browserOnly,
  bundledWorkers,
  type CompiledTypes,
  compileTypes,
  describePage,
  emptyHeaders,
  headOf,
  imagesAsFiles,
  languages,
  likeGitHub,
  linkPrograms,
  plainCode,
  type PlaygroundLinks,
  ROOT,
  search,
  sidebar,
  sidebarButtons,
  stylesFirst,
  tryIt,
  typesInCode,
  withPolicy,
  writeSiteFiles,
} from "../src/docs/index.ts";

const SITE = resolve(import.meta.dirname, "..");
// Set in the manifest at the root; without it there is nowhere to link to.
const address = repositoryAddress(ROOT);
const base = process.env["SITE_BASE"] ?? "/";
// For tests that ask neither for colours of code nor for its types, which take more than half of a build, nor for small scripts.
const isDraft = process.env["SITE_DRAFT"] === "1";

let types: CompiledTypes = new Map();
let links: PlaygroundLinks = new Map();

export default defineConfig({
  title: "Toolcontract",
  description: "One contract between model, tools and host.",
  lang: "en",
  base,
  // Every page lives at its path in the repository, so that relative links hold on both sides.
  srcDir: ROOT,
  outDir: join(SITE, isDraft ? ".artifacts/draft" : "dist"),
  cacheDir: join(SITE, "node_modules/.cache"),
  srcExclude: ["**/CHANGELOG.md", "**/src/**", "**/.artifacts/**"],
  rewrites: (page) =>
    page.replace(/^apps\/site\/pages\//, "").replace(/(^|\/)README\.md$/, "$1index.md"),
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
  // Every page would repeat the sidebar otherwise.
  metaChunk: true,
  // Reading one page would load all of its sidebar.
  router: { prefetchLinks: false },
  markdown: {
    languages: [...languages],
    anchor: { slugify: slugOf },
    attrs: { disable: true },
    codeTransformers: [typesInCode(() => types)],
    ...(isDraft && { highlight: plainCode }),
    config: (md) => {
      likeGitHub(md);
      emptyHeaders(md);
      tryIt(md, () => links);
    },
    // The colours of the default themes have too little contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark-default" },
  },
  themeConfig: {
    logo: { src: "/icon.svg", alt: "", width: 24, height: 24 },
    search,
    sidebar: sidebar({ isDraft }),
    nav: [
      { text: "Playground", link: "/playground/" },
      { text: "Getting started", link: "/docs/getting-started.html" },
      { text: "Compared", link: "/docs/compared.html" },
      { text: "Docs", link: "/docs/" },
      ...(address === undefined
        ? []
        : [
            {
              text: `v${core.version}`,
              items: [{ text: "Changelog", link: `${address}/releases` }],
            },
          ]),
    ],
    outline: [2, 3],
    ...(address !== undefined && {
      socialLinks: [{ icon: "github", link: address }],
      editLink: { pattern: `${address}/edit/main/:path`, text: "Edit this page" },
    }),
  },
  transformPageData: describePage,
  transformHead: headOf,
  transformHtml: (html) => withPolicy(stylesFirst(html)),
  buildEnd: ({ outDir }) => {
    writeSiteFiles(outDir);
  },
  vite: {
    publicDir: join(SITE, "public"),
    plugins: [
      imagesAsFiles(),
      bundledWorkers(base),
      browserOnly(),
      sidebarButtons(),
      {
        name: "toolcontract:programs",
        async buildStart() {
          if (links.size > 0) return;
          [types, links] = await Promise.all([
            isDraft ? new Map<string, never>() : compileTypes(),
            linkPrograms(),
          ]);
        },
      },
    ],
    // Workers load parts of themselves later.
    worker: { format: "es" },
    esbuild: { jsx: "automatic", jsxImportSource: "vue" },
    build: {
      // Under the policy of the site, `data:` is another origin.
      assetsInlineLimit: 0,
      ...(isDraft && { minify: false, target: "esnext" }),
    },
  },
});
