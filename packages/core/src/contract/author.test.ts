import { describe, expect, test, vi } from "vitest";
import { ADD_ITEM, staged } from "../testing/staged.ts";
import { authorOf } from "./contract.ts";

const REFUSAL = { action: "reject", lane: "guardrail", errors: [] } as const;

describe("parts of a check", () => {
  const rule = vi.fn(({ qty }: { qty: number }) => (qty > 9 ? [{ message: "too many" }] : []));
  const check = vi.fn(() => REFUSAL as never);
  const { contract } = staged({ check }, { rules: { [ADD_ITEM.name]: [rule] } });
  const author = authorOf(contract);

  test.each([
    ["fits", { qty: 99 }, "valid"],
    ["does not", { qty: "x" }, "invalid"],
  ])("the schema alone judges what %s", async (_, args, status) => {
    expect(await author.checkSchema(ADD_ITEM, args)).toMatchObject({ status });
    expect([rule, check].flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  test.each([
    [{ qty: 9 }, "valid"],
    [{ qty: 10 }, "invalid"],
  ])("rules alone judge %o", async (output, status) => {
    expect(await author.checkRules(ADD_ITEM, output)).toMatchObject({ status });
    expect(check).not.toHaveBeenCalled();
  });

  test("rules of the options are known by their tool", () => {
    expect(["add_item", "constructor"].map(author.hasRules)).toEqual([true, false]);
  });
});
