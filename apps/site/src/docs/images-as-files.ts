import { basename } from "node:path";
import { type Plugin } from "vitepress";

const DATA_URI = /url\("data:image\/svg\+xml,([^"]+)"\)/g;

/** Puts the images of the default theme's styles into files: the policy of the site refuses `data:` URIs. */
export function imagesAsFiles(): Plugin {
  return {
    name: "images-as-files",
    enforce: "post",
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
        file.source = String(file.source).replaceAll(DATA_URI, (_uri, image: string) => {
          const source = decodeURIComponent(image);
          const id = this.emitFile({ type: "asset", name: "icon.svg", source });
          return `url("${basename(this.getFileName(id))}")`;
        });
      }
    },
  };
}
