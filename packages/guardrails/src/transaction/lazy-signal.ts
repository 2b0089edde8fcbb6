import { lazily } from "../shared/index.ts";

/** A signal that aborts with another one or on its own; most tools and checks do not look at it. */
export interface LazySignal {
  readonly signal: () => AbortSignal;
  readonly abort: (reason: unknown) => void;
}

/** Makes a signal that costs nothing until somebody asks for it; it leaves no listener on the outer one. */
export function lazySignal(outer: AbortSignal | undefined): LazySignal {
  const own = lazily(() => new AbortController());
  const signal = lazily(() => (outer ? AbortSignal.any([own().signal, outer]) : own().signal));
  return { signal, abort: (reason) => own().abort(reason) };
}
