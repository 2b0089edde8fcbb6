import { expect, test } from "vitest";
import { createOwnRequests } from "./own-requests.ts";

test.each(["before it is asked about", "while it is"])(
  "a call that is cancelled %s has no answer, and one that comes is nobody's",
  async (when) => {
    const sent: { readonly id?: unknown }[] = [];
    const own = createOwnRequests((request) => sent.push(request));
    const controller = new AbortController();
    if (when.startsWith("before")) controller.abort();
    const asked = own.elicit({ message: "Pay?" }, controller.signal);
    controller.abort();
    await expect(asked).rejects.toThrow("cancelled");
    expect(sent).toHaveLength(when.startsWith("before") ? 0 : 1);
    expect(own.take({ id: sent[0]?.id, result: { action: "accept" } })).toBe(false);
  },
);
