// The globals outside ECMAScript that core may use: present in Node, Bun, Deno, edge runtimes and
// browsers. Only tsconfig.core.json reads this file; add a global only if all of those have it.

interface AbortSignalEventMap {
  abort: unknown;
}

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(
    type: keyof AbortSignalEventMap,
    listener: () => void,
    options?: { once?: boolean },
  ): void;
  removeEventListener(type: keyof AbortSignalEventMap, listener: () => void): void;
}

declare const AbortSignal: {
  abort(reason?: unknown): AbortSignal;
  any(signals: Iterable<AbortSignal>): AbortSignal;
  timeout(milliseconds: number): AbortSignal;
};

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class TextEncoder {
  encode(text?: string): Uint8Array;
}

declare class TextDecoder {
  decode(bytes?: Uint8Array): string;
}

declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  static canParse(url: string, base?: string): boolean;
}

declare const console: Readonly<
  Record<"debug" | "info" | "log" | "warn" | "error", (...data: unknown[]) => void>
>;
declare const performance: { now(): number };
declare const crypto: { randomUUID(): string };

declare function setTimeout(callback: () => void, milliseconds?: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare function queueMicrotask(callback: () => void): void;
declare function structuredClone<T>(value: T): T;

interface TransformStreamDefaultController<O> {
  enqueue(chunk: O): void;
}

declare class TransformStream<I, O> {
  constructor(transformer?: {
    transform?: (chunk: I, controller: TransformStreamDefaultController<O>) => void;
  });
  readonly readable: unknown;
  readonly writable: unknown;
}
