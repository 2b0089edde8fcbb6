import { call, calls, fails, READ, says, target } from "../row.ts";
import type { SessionCase } from "../session-case.ts";

const CLAUSE = "The application NEVER crashes without returning AIAgentResult";
const ERROR = "The run was aborted: the user left";
const GONE = "pa failed: the user left";

/** A user who leaves, at every step. */
export const abortCases: readonly SessionCase[] = [
  {
    name: "an abort before the run",
    clause: CLAUSE,
    aborts: "before",
    targets: [target([says("late")])],
    expected: {
      success: false,
      error: ERROR,
      requests: [],
      conversation: "user",
      accounting: [],
    },
  },
  ...([true, "deaf"] as const).flatMap((hangs): readonly SessionCase[] => {
    const model = hangs === true ? "a model that listens" : "a model that does not";
    return [
      {
        name: `an abort during the first request, to ${model}`,
        clause: CLAUSE,
        aborts: "waiting",
        targets: [target([{ hangs }]), target([says("late")], { name: "pb" })],
        expected: {
          success: false,
          error: ERROR,
          requests: ["pa"],
          conversation: "user",
          accounting: [GONE],
        },
      },
      {
        name: `an abort during a later request, to ${model}`,
        clause: CLAUSE,
        aborts: "waiting",
        targets: [target([calls(call("c1")), { hangs }])],
        tools: [READ],
        expected: {
          success: false,
          error: ERROR,
          requests: ["pa", "pa"],
          conversation: "user, assistant c1, tool c1",
          accounting: ["pa ok", "read ok", GONE],
        },
      },
    ];
  }),
  {
    name: "an abort in the middle of a streamed answer",
    clause: CLAUSE,
    aborts: "waiting",
    targets: [target([{ text: "half an ans", breaks: "stalls" }])],
    expected: {
      success: false,
      error: ERROR,
      requests: ["pa"],
      conversation: "user",
      accounting: [GONE],
    },
  },
  {
    name: "an abort during a wait between attempts",
    clause: CLAUSE,
    aborts: "waiting",
    targets: [target([fails(429, { after: "30" }), says("late")])],
    expected: {
      success: false,
      error: ERROR,
      requests: ["pa"],
      conversation: "user",
      waits: [30_000],
      accounting: ["pa failed: status 429"],
    },
  },
  {
    name: "an abort while a tool runs that does not listen",
    clause: "All tool executions appear in accounting (success or failure)",
    aborts: "waiting",
    targets: [target([calls(call("c1", "hang"))])],
    tools: [{ name: "hang", hangs: true }],
    expected: {
      success: false,
      error: ERROR,
      requests: ["pa"],
      conversation: ["user", "user, assistant c1"],
      ran: ["hang a"],
      accounting: ["pa ok", "hang failed: the user left"],
    },
  },
  {
    name: "an abort while a call waits in its queue",
    clause: "abort frees the place",
    aborts: "waiting",
    options: { queues: { default: { concurrent: 1 } } },
    targets: [target([calls(call("c1", "hang"), call("c2"))])],
    tools: [READ, { name: "hang", hangs: true }],
    expected: {
      success: false,
      error: ERROR,
      requests: ["pa"],
      conversation: ["user", "user, assistant c1 c2"],
      ran: ["hang a"],
      accounting: ["pa ok", "hang failed: the user left"],
    },
  },
];
