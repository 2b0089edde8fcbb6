/** The folders of changed files whose tests a quick run takes: of sources the room in `src`, of others the folder that they are in. */
export function roomsOf(paths: readonly string[]): readonly string[] {
  const rooms = paths.map(
    (path) => /^.*?\/src\/(?:[^/]+\/)?/.exec(path)?.[0] ?? /^.*\//.exec(path)?.[0],
  );
  return [...new Set(rooms.filter((room) => room !== undefined))].toSorted();
}
