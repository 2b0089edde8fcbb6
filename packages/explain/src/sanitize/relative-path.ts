const POSIX_CHARACTER = String.raw`[^\s\\/"'${"`"}<>|:,;]`;
const WINDOWS_CHARACTER = String.raw`[^\s\\/"'${"`"}<>|:,;*?]`;
const SEPARATOR = String.raw`[\\/]{1,4}`;

/** Pattern of a path segment; words after spaces belong to it only if a separator follows. */
function segmentPattern(character: string): string {
  return String.raw`${character}+(?:(?: ${character}+){1,3}(?=[\\/]))?`;
}

/** Absolute file paths, and URLs first, so that they are skipped. */
const CANDIDATE = new RegExp(
  [
    String.raw`(?<address>\b(?!file:)[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s"'<>]*)`,
    String.raw`(?<file>\bfile:\/\/[^\s"'<>]*)`,
    String.raw`(?<![A-Za-z0-9])(?:[\\/]{2,4}[?.]${SEPARATOR})?[A-Za-z]:(?:${SEPARATOR}${segmentPattern(WINDOWS_CHARACTER)})+`,
    String.raw`(?<![\w\\:])\\{2,4}${segmentPattern(WINDOWS_CHARACTER)}(?:${SEPARATOR}${segmentPattern(WINDOWS_CHARACTER)})+`,
    String.raw`(?<=^|[\s"'${"`"}(=:,;>[{|]|\\[nrt])\/(?=[\p{L}\p{N}_.@~-])${segmentPattern(POSIX_CHARACTER)}(?:\/+${segmentPattern(POSIX_CHARACTER)})+`,
  ].join("|"),
  "gu",
);

/** How much of a path remains that is neither below the workspace root nor in a home directory. */
const SHOWN_SEGMENTS = 2;

/** Beginnings that name a user, as segments joined by slashes. */
const HOME =
  /^(?:(?:export|usr|mnt\/[a-z]|[a-z])\/)?(?:home|Users)\/[^/]+|^(?:var\/)?root(?=\/)|^[A-Za-z]:\/(?:[Uu]sers|Documents and Settings)\/[^/]+/;

/** `/ab+c/i` is a regular expression literal, not a path. */
const REGEX_LITERAL = /^\/.*[\\^$*+?()[\]{}|].*\/[dgimsuvy]*$/;

/**
 * Creates a function that shortens every absolute file path in a string.
 *
 * @remarks A path below the workspace root becomes relative to it, a path in a home directory begins with `~`, and of
 * any other path the last two segments remain, which may be all of it.
 */
export function createRelativiser(workspaceRoot?: string): (text: string) => string {
  const root = workspaceRoot === undefined ? [] : toSegments(workspaceRoot);
  return (text) => {
    // Every path contains a slash or a backslash, and most strings contain neither.
    if (!/[\\/]/.test(text)) return text;
    return text.replace(CANDIDATE, (...match) => {
      const [raw] = match as [string];
      // The named groups are the last argument of a replacer.
      const groups = match.at(-1) as { readonly address?: string; readonly file?: string };
      if (groups.address !== undefined) return raw;
      const path = raw.replace(/[).\]}!?]+$/, "");
      const tail = raw.slice(path.length);
      return (groups.file === undefined ? relate(path, root) : relateUrl(path, root)) + tail;
    });
  };
}

function relateUrl(url: string, root: readonly string[]): string {
  const path = url.replace(/^file:\/\/(?:localhost)?/, "").replace(/^\/(?=[A-Za-z]:)/, "");
  try {
    return relate(decodeURIComponent(path), root);
  } catch {
    return relate(path, root);
  }
}

function relate(path: string, root: readonly string[]): string {
  const segments = toSegments(path);
  if (root.length > 0 && isBelowRoot(segments, root))
    return segments.slice(root.length).join("/") || ".";
  const joined = segments.join("/");
  if (HOME.test(joined)) return joined.replace(HOME, "~");
  const names = segments.filter((segment) => !segment.endsWith(":"));
  const hidesNothing = names.length <= SHOWN_SEGMENTS && !path.includes("..");
  if (hidesNothing || segments.length === 1 || REGEX_LITERAL.test(path)) return path;
  return `.../${names.slice(-SHOWN_SEGMENTS).join("/")}`;
}

/** Splits a path and resolves its dots, so that `/srv/app/../../etc` does not count as below `/srv/app`. */
function toSegments(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split(/[\\/]+/)) {
    if (segment === "..") segments.pop();
    else if (!["", ".", "?"].includes(segment)) segments.push(segment);
  }
  return segments;
}

/** Windows paths, which begin with a drive, ignore case. */
function isBelowRoot(segments: readonly string[], root: readonly string[]): boolean {
  const isWindows = root[0]?.endsWith(":") === true;
  return root.every((name, index) => {
    const segment = segments[index];
    return isWindows ? segment?.toLowerCase() === name.toLowerCase() : segment === name;
  });
}
