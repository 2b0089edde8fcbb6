import { type Example, examplesOf, pagePaths } from "./fences.ts";
import { hoverExamples } from "./hover-examples.ts";
import { isBetweenPackages, publicEntries, readExports } from "./public-surface.ts";

/** Every program of a page. */
export function pagePrograms(): readonly Example[] {
  return pagePaths().flatMap(examplesOf);
}

/** The examples that a person sees on hover, each as a program. */
export function hoverPrograms(): readonly Example[] {
  const entries = publicEntries().filter((entry) => !isBetweenPackages(entry));
  const exportsOf = readExports(entries, { withLibraries: false });
  return entries.flatMap((entry) => hoverExamples(entry, exportsOf(entry)));
}
