/** How the command ends, by the agent contract: 4 stands for wrong arguments and wrong configuration alike. */
export const EXIT = { ok: 0, failed: 1, invalid: 4 } as const;
