type Environment = Readonly<Record<string, string | undefined>>;

/** What a program needs to run at all, on any system; the official SDK hands servers the same. */
const NEEDED = new Set(
  (
    "HOME LOGNAME PATH SHELL TERM USER APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE " +
    "PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR"
  ).split(" "),
);

/** The environment of a server that a file names: none of the secrets of the shell, which the file may name itself. */
export function inheritedFrom(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(
      // On Windows, names are written in either case; a value that begins so is a function of a shell.
      ([name, value]) => NEEDED.has(name.toUpperCase()) && value?.startsWith("()") === false,
    ),
  );
}
