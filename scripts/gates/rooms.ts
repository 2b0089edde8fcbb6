/** The folders whose tests a quick run takes: for a changed source its room in `src`, for other files their folder. */
export function roomsOf(paths: readonly string[]): readonly string[] {
  const rooms = paths.map(
    (path) => /^.*?\/src\/(?:[^/]+\/)?/.exec(path)?.[0] ?? /^.*\//.exec(path)?.[0],
  );
  return [...new Set(rooms.filter((room) => room !== undefined))].toSorted();
}
