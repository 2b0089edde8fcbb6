/**
 * A tool with other members in place of its own. Methods run on the result, so that what they call is replaced too; getters run on the tool,
 * whose private members they may read.
 */
export function overlayTool<T extends object>(tool: T, members: object): T {
  const behind = new Proxy(tool, {
    get: (target, key) => Reflect.get(target, key, target) as unknown,
  });
  const own = Object.entries(members).map(([key, value]: [string, unknown]) => {
    return [key, { value, writable: true, configurable: true }] as const;
  });
  return Object.create(behind, Object.fromEntries(own)) as T;
}
