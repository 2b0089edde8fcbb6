/** What holds if no file says otherwise: a tool, a result and chatter must not end a run that nobody watches. */
export const DEFAULTS = {
  toolTimeout: 60_000,
  toolResponseMaxBytes: 65_536,
  plainText: "nudge",
} as const;
