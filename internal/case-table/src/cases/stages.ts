import type { CaseStage, CaseTool, ConformanceCase } from "../conformance-case.ts";
import { blocked, call, executed, failed, rejected } from "./row.ts";

const transfer: CaseTool = {
  name: "transfer",
  description: "Transfers money",
  inputSchema: {
    type: "object",
    properties: { amount: { type: "integer", minimum: 1 }, to: { type: "string" } },
    required: ["amount", "to"],
  },
};

interface Transfer {
  readonly amount: number;
  readonly to: string;
}

/** Refuses large amounts, a closed account and a transfer that went wrong; a bank that is offline is nobody's mistake. */
const bank: CaseStage = {
  name: "bank",
  lanes: { guardrail: 3, outcome: 2 },
  check(args) {
    if ((args as Transfer).amount <= 500) return undefined;
    const hint = "transfer at most 500";
    const error = { message: "above the daily limit", fieldPath: "/amount", hint };
    return { action: "retry", lane: "guardrail", errors: [error] };
  },
  async around({ args, run, runsOnce, callTool }) {
    const { to } = args as Transfer;
    if (to === "closed") {
      return { action: "stop", lane: "guardrail", errors: [{ message: "the account is closed" }] };
    }
    const value = await run();
    if (to === "twice" && !runsOnce) return { action: "return", value: await run() };
    const isAnswered =
      to !== "back" || !callTool || (await callTool("transfer", { amount: 5, to }));
    if (isAnswered === undefined) throw new Error("The other call came back with nothing");
    if (to === "offline") {
      return { action: "fail", value, message: "the bank is\noffline", undone: "all" };
    }
    if (to !== "nobody") return { action: "return", value };
    const error = { message: "nobody took the money", fieldPath: "/to" };
    return { action: "retry", lane: "outcome", errors: [error], undone: "all" };
  },
};

const options = { guardrails: bank };
const tools = [transfer];
const good = '{"amount":5,"to":"ada"}';
const large = '{"amount":900,"to":"ada"}';
const lost = '{"amount":5,"to":"nobody"}';
const limit = "VAL-016 /amount";
const unpaid = "VAL-016 /to";
const offline = '{"amount":5,"to":"offline"}';
const guardrail = { lane: "guardrail" } as const;
const outcome = { lane: "outcome", ran: true } as const;

/** What a stage around execution does with calls whose arguments are valid. */
export const stageCases: readonly ConformanceCase[] = [
  {
    name: "a stage lets a call run, and refuses another before it runs, in a lane of its own",
    tools,
    options,
    turns: [
      { calls: [call("call_1", "transfer", good, executed())] },
      {
        calls: [
          call(
            "call_2",
            "transfer",
            large,
            rejected(1, limit, {
              ...guardrail,
              text: `Guardrail failed for tool 'transfer' (attempt 1/3):

Errors:
• /amount (VAL-016): above the daily limit
  Hint: transfer at most 500

Correct these and call 'transfer' again with all arguments.`,
              compact: `Guardrail failed for tool 'transfer' (attempt 1/3):
- /amount (VAL-016): above the daily limit; transfer at most 500
Fix these and call again with all arguments.`,
            }),
          ),
        ],
      },
      { calls: [call("call_3", "transfer", good, executed())] },
      { calls: [call("call_4", "transfer", large, rejected(1, limit, guardrail))] },
    ],
  },
  {
    name: "a stage refuses what came of a call that ran",
    tools,
    options,
    turns: [
      {
        calls: [
          call(
            "call_1",
            "transfer",
            lost,
            rejected(1, unpaid, {
              ...outcome,
              text: `Outcome failed for tool 'transfer' (attempt 1/2):

Errors:
• /to (VAL-016): nobody took the money

All its state changes were undone.
Correct these and call 'transfer' again with all arguments.`,
              compact: `Outcome failed for tool 'transfer' (attempt 1/2):
- /to (VAL-016): nobody took the money
All its state changes were undone.
Fix these and call again with all arguments.`,
            }),
          ),
        ],
      },
      {
        calls: [call("call_2", "transfer", lost, blocked(2, unpaid, { ...outcome, earlier: [1] }))],
      },
    ],
  },
  {
    name: "lanes are counted apart: a failure in one neither raises nor resets another",
    tools,
    options,
    turns: [
      {
        calls: [call("call_1", "transfer", "{}", rejected(1, ["VAL-001 /amount", "VAL-001 /to"]))],
      },
      { calls: [call("call_2", "transfer", large, rejected(1, limit, guardrail))] },
      {
        calls: [call("call_3", "transfer", '{"amount":5}', rejected(2, "VAL-001 /to"))],
      },
      { calls: [call("call_4", "transfer", lost, rejected(1, unpaid, outcome))] },
      {
        calls: [
          call("call_5", "transfer", '{"amount":501,"to":"ada"}', rejected(2, limit, guardrail)),
        ],
      },
      { calls: [call("call_6", "transfer", good, executed())] },
      {
        calls: [call("call_7", "transfer", "{}", rejected(1, ["VAL-001 /amount", "VAL-001 /to"]))],
      },
    ],
  },
  {
    name: "a stage repeats a run, if the host can: the model reads the last result",
    tools,
    options,
    turns: [{ calls: [call("call_1", "transfer", '{"amount":5,"to":"twice"}', executed())] }],
  },
  {
    name: "a stage calls another tool, if the host can: the model sees nothing of that call",
    tools,
    options,
    turns: [
      { calls: [call("call_1", "transfer", '{"amount":5,"to":"back"}', executed())] },
      {
        calls: [call("call_2", "transfer", "{}", rejected(1, ["VAL-001 /amount", "VAL-001 /to"]))],
      },
    ],
  },
  {
    name: "a stage says that the tool failed: an error for the model that counts and resets nothing",
    tools,
    options,
    turns: [
      { calls: [call("call_1", "transfer", lost, rejected(1, unpaid, outcome))] },
      {
        calls: [
          call(
            "call_2",
            "transfer",
            offline,
            failed(`Tool 'transfer' failed: the bank is offline
All its state changes were undone.`),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_3",
            "transfer",
            '{"amount":6,"to":"nobody"}',
            blocked(2, unpaid, { ...outcome, earlier: [1] }),
          ),
        ],
      },
    ],
  },
  {
    name: "a stage closes a tool at once: it stays closed, also for a valid call",
    tools,
    options,
    turns: [
      {
        calls: [
          call(
            "call_1",
            "transfer",
            '{"amount":5,"to":"closed"}',
            blocked(1, "VAL-016 (arguments)", {
              ...guardrail,
              text: `Guardrail failed for tool 'transfer' (attempt 1/3):

Errors:
• (arguments) (VAL-016): the account is closed

Do not call 'transfer' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_2",
            "transfer",
            good,
            blocked(1, "VAL-016 (arguments)", {
              ...guardrail,
              settled: true,
              earlier: [1],
              text: `Guardrail failed for tool 'transfer' (blocked after 1/3):

Errors:
• (arguments) (VAL-016): Rule failed for the arguments

Attempt 1: Rule failed for the arguments
Do not call 'transfer' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "a stage's budget ends like the attempts of validation",
    tools,
    options,
    turns: [
      { calls: [call("call_1", "transfer", large, rejected(1, limit, guardrail))] },
      {
        calls: [
          call("call_2", "transfer", '{"amount":800,"to":"ada"}', rejected(2, limit, guardrail)),
        ],
      },
      {
        calls: [
          call(
            "call_3",
            "transfer",
            '{"amount":700,"to":"ada"}',
            blocked(3, limit, { ...guardrail, earlier: [1, 2] }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_4",
            "transfer",
            good,
            blocked(3, limit, { ...guardrail, settled: true, earlier: [1, 2, 3] }),
          ),
        ],
      },
    ],
  },
];

/** A turn with more calls than it may have. */
export const turnLimitCases: readonly ConformanceCase[] = [
  {
    name: "a call too many in its turn does not run and counts as no attempt",
    tools,
    options: { maxCallsPerTurn: 2 },
    turns: [
      {
        calls: [
          call("call_1", "transfer", good, executed()),
          call("call_2", "transfer", good, executed()),
          call("call_3", "transfer", good, skipped(2)),
        ],
      },
      {
        calls: [call("call_4", "transfer", "{}", rejected(1, ["VAL-001 /amount", "VAL-001 /to"]))],
      },
    ],
  },
];

function skipped(most: number): ReturnType<typeof rejected> {
  const note = `(tool failed: too many tool calls in one turn; limit is ${most})`;
  return rejected(0, [], { skipped: note });
}
