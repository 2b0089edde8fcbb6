// Loads an adapter on another version of its framework, in the process that has it on the newest version already.
import { registerHooks } from "node:module";

/** The packages that take the place of the framework's, for the sources of one adapter. */
export interface OtherVersion {
  /** Part of the URL of each source that runs on it. */
  readonly name: string;
  /** The folder of the adapter's sources, which ends in a slash; what they import from elsewhere is shared. */
  readonly sources: URL;
  /** By a package's name in the sources, the name of the one that is loaded. Their subpaths are the same. */
  readonly packages: Readonly<Record<string, string>>;
  /** A module beside which those packages are installed, if they are not installed for the sources. */
  readonly beside?: string;
}

const QUERY = "version";
const versions = new Map<string, OtherVersion>();
const resolved = new Set<string>();

/** Imports these files of the adapter, which import the other version. */
export async function importOn<Modules extends readonly unknown[]>(
  version: OtherVersion,
  ...files: { readonly [Index in keyof Modules]: string }
): Promise<Modules> {
  if (versions.size === 0) registerHooks({ resolve: resolveOn });
  versions.set(version.name, version);
  const modules: unknown[] = [];
  for (const file of files) {
    const url = new URL(file, version.sources);
    url.searchParams.set(QUERY, version.name);
    modules.push(await import(url.href));
    if (!resolved.has(url.href))
      throw new Error(`Node did not load ${url.href}: use Node 22.18 or later, and no Vite`);
  }
  return modules as unknown as Modules;
}

const resolveOn: NonNullable<Parameters<typeof registerHooks>[0]["resolve"]> = (
  specifier,
  context,
  next,
) => {
  if (specifier.includes(`?${QUERY}=`)) resolved.add(specifier);
  const importer = context.parentURL;
  // Most modules are loaded without a query; parsing each URL would take longer.
  const isMarked = importer?.includes(`?${QUERY}=`) === true;
  const version = isMarked
    ? versions.get(new URL(importer).searchParams.get(QUERY) ?? "")
    : undefined;
  if (version === undefined) return next(specifier, context);
  for (const [name, other] of Object.entries(version.packages))
    if (specifier === name || specifier.startsWith(`${name}/`))
      return next(other + specifier.slice(name.length), {
        ...context,
        parentURL: version.beside ?? importer,
      });
  const found = next(specifier, context);
  if (!found.url.startsWith(version.sources.href)) return found;
  return { ...found, url: `${found.url}?${QUERY}=${version.name}` };
};
