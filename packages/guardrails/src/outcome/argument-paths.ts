const MAX_VALUES = 1000;
const MAX_LENGTH = 4096;

/** Whether a path of the file system was made from a string in the arguments. */
export function isPathFromArguments(path: string, args: unknown): boolean {
  const whole = `/${pathNames(path).join("/")}/`;
  return stringsIn(args).some((text) => {
    const part = pathNames(text).join("/");
    if (part === "") return false;
    // A short string is in any path by chance, so it must be a whole name, or one without its extension.
    return part.length < 3
      ? whole.includes(`/${part}/`) || whole.includes(`/${part}.`)
      : whole.includes(part);
  });
}

/** Whether a string in the arguments is a statement of SQL. */
export function hasSqlInArguments(args: unknown): boolean {
  return stringsIn(args).some((text) => SQL.test(text));
}

const SQL =
  /^[\s(]*(?:select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+[\w"]+\s+as\s*\(|create\s|alter\s|drop\s)/i;

/** The names in a path; `..` goes up, as `path.join` does. */
function pathNames(path: string): readonly string[] {
  const names: string[] = [];
  for (const name of path.slice(0, MAX_LENGTH).split(/[/\\]/)) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names;
}

/** The strings and numbers in the arguments, as text; bounded. */
function stringsIn(args: unknown): readonly string[] {
  const found: string[] = [];
  const values: unknown[] = [args];
  try {
    for (let index = 0; index < values.length && index < MAX_VALUES; index += 1) {
      const value = values[index];
      if (typeof value === "string") found.push(value);
      else if (typeof value === "number") found.push(String(value));
      else if (typeof value === "object" && value !== null) {
        values.push(...Object.values(value).slice(0, MAX_VALUES));
      }
    }
  } catch {
    // Arguments with a getter that throws: what was found so far.
  }
  return found;
}
