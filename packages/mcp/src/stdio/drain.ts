/** Ends something once it is idle. */
export interface Drain {
  /** Waits from now on: for idleness, but not longer than the grace. */
  readonly begin: () => void;
  /** Call when it may have become idle. */
  readonly check: () => void;
  /** Call when there is nothing left to end. */
  readonly cancel: () => void;
}

/** What is ended, and when. */
export interface DrainOptions {
  readonly isIdle: () => boolean;
  readonly onBegin: () => void;
  readonly end: () => void;
  readonly graceMs: number;
}

/** Creates a drain that has not begun; it ends once at most. */
export function createDrain({ isIdle, onBegin, end, graceMs }: DrainOptions): Drain {
  let state: "open" | "draining" | "over" = "open";
  let timer: NodeJS.Timeout | undefined;

  function cancel(): void {
    state = "over";
    clearTimeout(timer);
  }
  function finish(): void {
    if (state !== "draining") return;
    cancel();
    end();
  }
  function check(): void {
    if (state === "draining" && isIdle()) finish();
  }
  return {
    begin() {
      if (state !== "open") return;
      state = "draining";
      onBegin();
      timer = setTimeout(finish, graceMs);
      check();
    },
    check,
    cancel,
  };
}
