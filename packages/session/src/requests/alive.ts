import { AsyncLocalStorage } from "node:async_hooks";

const here = new AsyncLocalStorage<() => void>();

/** Makes a request; `alive` is called for each sign of life that {@link watchedFetch} sees of it. */
export async function whileAlive<T>(alive: () => void, ask: () => Promise<T>): Promise<T> {
  return here.run(alive, ask);
}

/**
 * `fetch` that tells the session's request around it of each piece of the answer's body: providers keep a connection alive with
 * bytes that their clients pass on to nobody.
 */
export const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const alive = here.getStore();
  const { body } = response;
  if (alive === undefined || body === null) return response;
  alive();
  const watched = body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        alive();
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(watched, response);
};
