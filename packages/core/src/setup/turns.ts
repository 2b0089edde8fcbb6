/** A call's share in a model turn. */
export interface TurnShare {
  readonly turnId: string;
  /** Ends the call's share; the turn is over once all have left. */
  leave(): void;
}

/** Tells model turns apart for hosts that do not name them: calls that overlap in time are one turn. */
export interface Turns {
  /** Joins the turn that is open in the conversation, or opens one. */
  join(conversationId: string): TurnShare;
  /** An id that no other turn has. */
  readonly newId: () => string;
}

/** Makes a register of open turns; it holds a conversation only while a call of it is under way. */
export function createTurns(): Turns {
  const open = new Map<string, { readonly turnId: string; calls: number }>();
  // Two processes on one store must not name their turns alike.
  const prefix = Math.random().toString(36).slice(2);
  let serial = 0;

  function newId(): string {
    serial += 1;
    return `${prefix}-${serial}`;
  }

  function join(conversationId: string): TurnShare {
    const turn = open.get(conversationId) ?? { turnId: newId(), calls: 0 };
    open.set(conversationId, turn);
    turn.calls += 1;
    let left = false;
    return {
      turnId: turn.turnId,
      leave() {
        if (left) return;
        left = true;
        turn.calls -= 1;
        if (turn.calls === 0) open.delete(conversationId);
      },
    };
  }

  return { join, newId };
}
