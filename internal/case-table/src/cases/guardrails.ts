import type { ConformanceCase } from "../conformance-case.ts";
import { shopGuardrails as guarded, shopTools as tools } from "../tools/shop.ts";
import { blocked, call, executed, rejected } from "./row.ts";

const add = (sku: string, qty: number): string => JSON.stringify({ sku, qty });
const state = (cart: readonly string[], left: number, notes: readonly string[] = []) => ({
  cart,
  stock: { A1: left, G1: 9 },
  notes,
});
const untouched = state([], 5);
const guardrail = { lane: "guardrail" } as const;
const undone = { lane: "guardrail", ran: true } as const;
const outcome = { lane: "outcome", ran: true } as const;
const inSchema = ["VAL-001 /qty", "VAL-001 /sku"];
const fails = { fails: true } as const;

const exceedsStock = `Guardrail failed for tool 'add_item' (attempt 1/3):

Errors:
• /qty (GRD-002): order exceeds stock
  Hint: lower qty

All its state changes were undone.
Correct these and call 'add_item' again with all arguments.`;

const noKey = `Guardrail failed for tool 'add_item' (attempt 1/3):

Errors:
• (arguments) (GRD-003): the key for gifts is not set

Do not call 'add_item' again for this request: tell the user what is missing, or continue without it.`;

const diskFull = `Outcome failed for tool 'add_item' (attempt 1/2):

Errors:
• (arguments) (GRD-005): disk full

Correct these and call 'add_item' again with all arguments.`;

/** What guardrails do to calls, and what they leave of the state. */
export const guardrailCases: readonly ConformanceCase[] = [
  {
    name: "a call that breaks a guardrail is undone and explained, until one succeeds",
    tools,
    guarded,
    turns: [
      {
        calls: [call("call_1", "add_item", add("A1", 51), rejected(1, "GRD-001 /qty", guardrail))],
        committed: untouched,
      },
      {
        calls: [call("call_2", "add_item", add("ZZ", 1), rejected(2, "GRD-001 /sku", guardrail))],
        committed: untouched,
      },
      {
        calls: [call("call_3", "add_item", add("A1", 2), executed())],
        committed: state(["2 A1"], 3),
      },
      {
        calls: [
          call(
            "call_4",
            "add_item",
            add("A1", 4),
            rejected(1, "GRD-002 /qty", { ...undone, text: exceedsStock }),
          ),
        ],
        committed: state(["2 A1"], 3),
      },
      {
        calls: [call("call_5", "add_item", add("A1", 3), executed())],
        committed: state(["2 A1", "3 A1"], 0),
      },
    ],
  },
  {
    name: "a terminal guardrail closes the tool at once, also for a valid call",
    tools,
    guarded,
    turns: [
      {
        calls: [
          call(
            "call_1",
            "add_item",
            add("G1", 1),
            blocked(1, "GRD-003 (arguments)", {
              ...guardrail,
              text: noKey,
              typed: {
                status: "error",
                error_type: "missing_credentials",
                error_message: "Credentials are missing for add_item",
                retriable: false,
                metadata: { last_violation_type: "gift_key" },
              },
            }),
          ),
        ],
        committed: untouched,
      },
      {
        calls: [
          call(
            "call_2",
            "add_item",
            add("A1", 1),
            blocked(1, "GRD-003 (arguments)", { ...guardrail, settled: true, earlier: [1] }),
          ),
        ],
        committed: untouched,
      },
    ],
  },
  {
    name: "a guardrail's budget ends in a typed outcome, and the tool stays closed",
    tools,
    guarded,
    turns: [
      { calls: [call("call_1", "add_item", add("A1", 9), rejected(1, "GRD-002 /qty", undone))] },
      { calls: [call("call_2", "add_item", add("A1", 8), rejected(2, "GRD-002 /qty", undone))] },
      {
        calls: [
          call(
            "call_3",
            "add_item",
            add("A1", 7),
            blocked(3, "GRD-002 /qty", {
              ...undone,
              earlier: [1, 2],
              typed: {
                status: "error",
                error_type: "guardrail_retry_exhausted",
                error_message: "Recoverable guardrail retries exhausted for add_item",
                retriable: false,
                metadata: {
                  guardrail_recovery_attempts: 2,
                  last_violation_type: "stock_not_negative",
                },
              },
            }),
          ),
        ],
        committed: untouched,
      },
      {
        calls: [
          call(
            "call_4",
            "add_item",
            add("A1", 1),
            blocked(3, "GRD-002 /qty", { ...guardrail, settled: true, earlier: [1, 2, 3] }),
          ),
        ],
        committed: untouched,
      },
    ],
  },
  {
    name: "a tool that fails is repaired once, then its outcome is typed",
    tools,
    guarded,
    turns: [
      {
        calls: [
          {
            ...call(
              "call_1",
              "add_item",
              add("A1", 1),
              rejected(1, "GRD-005 (arguments)", { ...outcome, text: diskFull }),
            ),
            ...fails,
          },
        ],
        committed: untouched,
      },
      {
        calls: [
          {
            ...call(
              "call_2",
              "add_item",
              add("A1", 2),
              blocked(2, "GRD-005 (arguments)", {
                ...outcome,
                earlier: [1],
                typed: {
                  status: "error",
                  error_type: "outcome_repair_retry_exhausted",
                  error_message: "Retriable outcome-error repairs exhausted for add_item",
                  retriable: false,
                  metadata: { outcome_repair_attempts: 1 },
                },
              }),
            ),
            ...fails,
          },
        ],
        committed: untouched,
      },
    ],
  },
  {
    name: "schema, guardrails and outcomes are counted apart, and a success ends them all",
    tools,
    guarded,
    turns: [
      { calls: [call("call_1", "add_item", "{}", rejected(1, inSchema))] },
      { calls: [call("call_2", "add_item", add("ZZ", 1), rejected(1, "GRD-001 /sku", guardrail))] },
      {
        calls: [
          {
            ...call(
              "call_3",
              "add_item",
              add("A1", 1),
              rejected(1, "GRD-005 (arguments)", outcome),
            ),
            ...fails,
          },
        ],
      },
      { calls: [call("call_4", "add_item", add("A1", 9), rejected(2, "GRD-002 /qty", undone))] },
      {
        calls: [call("call_5", "add_item", '{"sku":"A1"}', rejected(2, "VAL-001 /qty"))],
        committed: untouched,
      },
      {
        calls: [call("call_6", "add_item", add("A1", 2), executed())],
        committed: state(["2 A1"], 3),
      },
      { calls: [call("call_7", "add_item", add("A1", 9), rejected(1, "GRD-002 /qty", undone))] },
      { calls: [call("call_8", "add_item", "{}", rejected(1, inSchema))] },
    ],
  },
  {
    name: "one good and one bad call of a tool in each turn still end",
    tools,
    guarded,
    turns: [
      {
        calls: [
          call("call_1", "add_item", add("A1", 1), executed()),
          call("call_2", "add_item", add("A1", 60), rejected(1, "GRD-001 /qty", guardrail)),
        ],
        committed: state(["1 A1"], 4),
      },
      {
        calls: [
          call("call_3", "add_item", add("A1", 61), rejected(2, "GRD-001 /qty", guardrail)),
          call("call_4", "add_item", add("A1", 1), executed()),
        ],
        committed: state(["1 A1", "1 A1"], 3),
      },
      {
        calls: [
          call("call_5", "add_item", add("A1", 1), executed()),
          call(
            "call_6",
            "add_item",
            add("A1", 62),
            blocked(3, "GRD-001 /qty", { ...guardrail, earlier: [1, 2] }),
          ),
        ],
        committed: state(["1 A1", "1 A1", "1 A1"], 2),
      },
      {
        calls: [
          call(
            "call_7",
            "add_item",
            add("A1", 1),
            blocked(3, "GRD-001 /qty", { ...guardrail, settled: true, earlier: [1, 2, 3] }),
          ),
        ],
        committed: state(["1 A1", "1 A1", "1 A1"], 2),
      },
    ],
  },
  {
    name: "a call commits while another one of its turn is rolled back",
    tools,
    guarded,
    turns: [
      {
        calls: [
          call("call_1", "add_item", add("A1", 9), rejected(1, "GRD-002 /qty", undone)),
          call("call_2", "add_note", '{"words":"a gift"}', executed()),
          call("call_3", "add_item", add("A1", 2), executed()),
        ],
        committed: state(["2 A1"], 3, ["a gift"]),
      },
    ],
  },
];
