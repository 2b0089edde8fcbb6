import type { CaseRule, ConformanceCase } from "../conformance-case.ts";
import { transferMoney } from "../tools/work-tools.ts";
import { call, executed, oneCall, rejected } from "./row.ts";

const withinDailyLimit: CaseRule = ({ amount }: { readonly amount: number }) =>
  amount <= 500
    ? []
    : [{ fieldPath: "/amount", message: "Above the daily limit of 500: ask the user to confirm" }];

/** Faults of no single field: conditions between fields, and rules beyond the schema. */
export const combinedFieldCases: readonly ConformanceCase[] = [
  oneCall({
    name: "VAL-014: a field that another one requires",
    tool: transferMoney,
    arguments: '{"to":"NL91ABNA0417164300","amount":25,"schedule":"2026-12-01"}',
    expected: rejected(1, "VAL-014 /timezone"),
  }),
  oneCall({
    name: "VAL-003: a number that is not a multiple",
    tool: transferMoney,
    arguments: '{"to":"bob","amount":10.3}',
    expected: rejected(1, "VAL-003 /amount", {
      text: `Validation failed for tool 'transfer_money' (attempt 1/3):

Errors:
• /amount (VAL-003): Constraint violated
  Expected: number above 0, a multiple of 0.5
  Actual: 10.3

Correct these and call 'transfer_money' again with all arguments.`,
      compact: `Validation failed for tool 'transfer_money' (attempt 1/3):
- /amount (VAL-003): 10.3; expected number above 0, a multiple of 0.5
Fix these and call again with all arguments.`,
    }),
  }),
  {
    name: "VAL-016: a rule rejects what the schema accepts, and a smaller amount passes",
    tools: [transferMoney],
    options: { rules: { transfer_money: [withinDailyLimit] } },
    turns: [
      {
        calls: [
          call(
            "call_1",
            "transfer_money",
            '{"to":"bob","amount":900}',
            rejected(1, "VAL-016 /amount", {
              text: `Validation failed for tool 'transfer_money' (attempt 1/3):

Errors:
• /amount (VAL-016): Above the daily limit of 500: ask the user to confirm

Correct these and call 'transfer_money' again with all arguments.`,
              compact: `Validation failed for tool 'transfer_money' (attempt 1/3):
- /amount (VAL-016): Above the daily limit of 500: ask the user to confirm
Fix these and call again with all arguments.`,
            }),
          ),
        ],
      },
      { calls: [call("call_2", "transfer_money", '{"to":"bob","amount":500}', executed())] },
    ],
  },
  oneCall({
    name: "VAL-016: a rule does not see what the schema rejects",
    tool: transferMoney,
    options: { rules: { transfer_money: [withinDailyLimit] } },
    arguments: '{"to":"bob","amount":"900"}',
    expected: rejected(1, "VAL-002 /amount"),
  }),
];
