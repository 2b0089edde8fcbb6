/** Lets users take their turns in the order of a script, whatever their frameworks do meanwhile. */
export interface Rounds {
  /** Ends the user's turn, and waits until the script has the next one. */
  next(user: string): Promise<void>;
  /** Ends the user's turn. */
  end(user: string): void;
}

/** Creates the rounds; the users of one take their turns at once. */
export function createRounds(script: readonly (readonly string[])[]): Rounds {
  const left = [...script];
  let open = new Set(left.shift());
  let begun = new Set<string>();
  const waiting: (() => void)[] = [];

  function end(user: string): void {
    if (!begun.has(user)) return;
    open.delete(user);
    if (open.size > 0) return;
    open = new Set(left.shift());
    begun = new Set();
    for (const wake of waiting.splice(0)) wake();
  }

  return {
    end,
    async next(user) {
      end(user);
      while (!open.has(user) || begun.has(user)) {
        await new Promise<void>((wake) => waiting.push(wake));
      }
      begun.add(user);
    },
  };
}
