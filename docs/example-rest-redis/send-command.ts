/** Sends commands to a Redis over REST, such as Upstash: one fetch each, and no connection that goes stale. */
export function restCommands(url: string, token: string) {
  return async (...command: string[]): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(command) });
    const { result, error } = (await response.json()) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  };
}
