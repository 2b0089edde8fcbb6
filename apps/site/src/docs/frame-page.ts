import { build } from "esbuild";
import { FRAME, withPolicy } from "./policy.ts";

/** The page of the frame in which the code of a tool runs, with its script in it. */
export async function framePage(script: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [script],
    bundle: true,
    format: "iife",
    minify: true,
    target: "es2022",
    write: false,
  });
  const code = (outputFiles[0]?.text ?? "").trim();
  return withPolicy(
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>The code of the tool</title>
    <script>${code}</script>
  </head>
  <body></body>
</html>
`,
    FRAME,
  );
}
