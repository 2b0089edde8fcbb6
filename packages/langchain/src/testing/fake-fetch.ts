/** A fetch that answers with the given bodies in turn, and records what it was sent. */
export interface FakeFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly bodies: Readonly<Record<string, unknown>>[];
}

/** A JSON body, or the events of a stream. */
export type FakeBody = object | readonly (readonly [event: string, data: object])[];

/** Creates a fetch that never uses the network. */
export function fakeFetch(answers: readonly FakeBody[]): FakeFetch {
  const bodies: Readonly<Record<string, unknown>>[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const answer = answers[bodies.length] ?? answers.at(-1) ?? {};
    bodies.push(JSON.parse(init?.body as string) as Readonly<Record<string, unknown>>);
    if (!Array.isArray(answer)) {
      return new Response(JSON.stringify(answer), {
        headers: { "content-type": "application/json" },
      });
    }
    const events = answer as readonly (readonly [string, object])[];
    const text = events.map(([event, data]) => {
      const named = event === "" ? "" : `event: ${event}\n`;
      return `${named}data: ${JSON.stringify(data)}\n\n`;
    });
    return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
  };
  return { fetch, bodies };
}
