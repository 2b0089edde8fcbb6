import {
  type Entry,
  type ExportedName,
  isBetweenPackages,
  publicEntries,
} from "./public-surface.ts";

type ExportsOf = (entry: Entry) => readonly ExportedName[];

/** What the entries of a package export, as a page. */
export function apiReport(folder: string, exportsOf: ExportsOf): string {
  const name = `@toolcontract/${folder}`;
  const entries = publicEntries([folder]);
  return `# API of ${name}

What [\`${name}\`](../../packages/${folder}/README.md) exports, entry by entry. A test writes this page from the code, so a change of what
users see is in the diff.

${entries.map((entry) => sectionOf(entry, exportsOf(entry))).join("\n\n")}
`;
}

function sectionOf(entry: Entry, names: readonly ExportedName[]): string {
  const values = names.filter(isValue);
  const types = names.filter((one) => !isValue(one));
  const title = `## ${entry.name}`;
  if (isBetweenPackages(entry)) {
    const list = [...values, ...types].map(({ name }) => `- \`${name}\``).join("\n");
    return `${title}\n\nFor the packages of Toolcontract: it may change in any version.\n\n${list}`;
  }
  return [title, listOf("Values", values), listOf("Types", types)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function listOf(title: string, names: readonly ExportedName[]): string {
  if (names.length === 0) return "";
  const lines = names.map(({ name, signatures, summary }) => {
    const code = signatures.length === 0 ? [name] : signatures;
    return `- ${code.map((line) => `\`${line}\``).join(", ")}: ${summary}`;
  });
  return `${title}:\n\n${lines.join("\n")}`;
}

function isValue({ signatures }: ExportedName): boolean {
  return signatures.length > 0;
}

/** How many values and types each package exports, without and with its entries for our packages. */
export function countsOf(folder: string, exportsOf: ExportsOf): Readonly<Record<string, number>> {
  const entries = publicEntries([folder]);
  const distinct = (wanted: (entry: Entry) => boolean, ofValues: boolean): number =>
    new Set(
      entries
        .filter(wanted)
        .flatMap((entry) => exportsOf(entry))
        .filter((one) => isValue(one) === ofValues)
        .map(({ name }) => name),
    ).size;
  return {
    values: distinct((entry) => !isBetweenPackages(entry), true),
    types: distinct((entry) => !isBetweenPackages(entry), false),
    "values between packages": distinct(isBetweenPackages, true),
  };
}
