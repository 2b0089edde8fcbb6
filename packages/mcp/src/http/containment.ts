import type { IncomingMessage, ServerResponse } from "node:http";
import { BodyGivenUp } from "./body-budget.ts";
import type { Contain } from "./contain.ts";
import { answerFailure } from "./exchange.ts";
import { BodyCutOff } from "./read-body.ts";

/**
 * Creates the containment of one exchange. Its first failure is reported, and the client gets a 502, or a connection that
 * is cut if its response has begun.
 *
 * @remarks Event listeners and timers need it as well: nothing catches what they throw, so it would end the process.
 */
export function containmentOf(
  request: IncomingMessage,
  response: ServerResponse,
  report: (thrown: unknown) => void,
): Contain {
  let hasFailed = false;

  function fail(thrown: unknown): void {
    const isFirst = !hasFailed;
    hasFailed = true;
    try {
      if (isFirst && !isExpected(thrown)) report(thrown);
      endWithFailure(request, response, thrown);
    } catch {
      // What was set on the response before may be what cannot be sent.
      response.destroy();
    }
  }

  return (step) => {
    try {
      const outcome = step();
      if (outcome instanceof Promise) outcome.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
}

/** Clients break off and are slow every day. */
function isExpected(thrown: unknown): boolean {
  return thrown instanceof BodyCutOff || thrown instanceof BodyGivenUp;
}

function endWithFailure(request: IncomingMessage, response: ServerResponse, thrown: unknown): void {
  // A complete response may still be on its way.
  if (response.writableEnded) return;
  if (response.headersSent) {
    // A truncated response must not look complete.
    response.destroy();
  } else if (thrown instanceof BodyGivenUp) {
    // The rest of the body must not be taken for another request.
    response.setHeader("connection", "close").once("finish", () => request.destroy());
    answerFailure(response, thrown.status, `Refused by the proxy: ${thrown.message}.`);
  } else answerFailure(response, 502, "The proxy could not forward the request.");
}
