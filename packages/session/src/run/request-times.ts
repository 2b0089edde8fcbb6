import { type DataRule, isRecord, LONGEST_TIMER_MS } from "@toolcontract/core/adapter";
import type { RequestTimeout } from "../shared/index.ts";

/** What a time must be. */
export const milliseconds: DataRule = {
  wants: `a number of milliseconds from 1 to ${LONGEST_TIMER_MS}`,
  fits: (value) => typeof value === "number" && value >= 1 && value <= LONGEST_TIMER_MS,
  schema: { type: "integer", minimum: 1, maximum: LONGEST_TIMER_MS },
};
/** The times of a request if nobody else is left to ask: a model may think for minutes. */
const REQUEST_TIMES = { firstToken: 300_000, silence: 300_000, total: 600_000 } as const;

/** The same while another target is left. */
const WITH_OTHERS = { ...REQUEST_TIMES, firstToken: 60_000, silence: 60_000 } as const;

/** What the times of a request must be. */
export const requestTimes: DataRule = {
  wants: `an object of milliseconds from 1 to ${LONGEST_TIMER_MS}, such as { firstToken: 300_000, silence: 300_000, total: 600_000 }`,
  fits: (value) =>
    isRecord(value) &&
    Object.entries(value).every(
      ([name, time]) =>
        Object.hasOwn(REQUEST_TIMES, name) && (time === undefined || milliseconds.fits(time)),
    ),
  schema: {
    type: "object",
    properties: {
      first_token: milliseconds.schema,
      silence: milliseconds.schema,
      total: milliseconds.schema,
    },
    additionalProperties: false,
  },
};

/** The times of a request: what comes later goes before what comes earlier, and all of it before the defaults. */
export function requestTimesOf(
  hasOthers: boolean,
  ...given: readonly (RequestTimeout | undefined)[]
): Required<RequestTimeout> {
  const set = given.flatMap((times) => Object.entries(times ?? {}));
  return {
    ...(hasOthers ? WITH_OTHERS : REQUEST_TIMES),
    ...Object.fromEntries(set.filter(([, time]) => time !== undefined)),
  };
}

/** The shorter of each pair from two sets of times. */
export function shorterTimes(
  times: Required<RequestTimeout>,
  others: RequestTimeout = {},
): Required<RequestTimeout> {
  const { firstToken = times.firstToken, silence = times.silence, total = times.total } = others;
  return {
    firstToken: Math.min(times.firstToken, firstToken),
    silence: Math.min(times.silence, silence),
    total: Math.min(times.total, total),
  };
}
