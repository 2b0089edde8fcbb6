import { describe, expect } from "vitest";
import { test } from "../../testing/browser-test.ts";
import { openPlayground } from "../../testing/playground-page.ts";

const CITY = '{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}';

describe("a conversation", () => {
  test("goes from the first attempt to escalation and the blocked tool", async ({ open }) => {
    const { button, page, reads } = await openPlayground(open);
    await reads(/\(attempt 1\/3\)/);
    await button("Send again").click();
    await reads(/\(attempt 2\/3\)/);
    await expect.poll(() => page.getByText("What a person reads").count()).toBe(0);
    await button("Send again").click();
    await reads(/\(attempt 3\/3\)/);
    await expect.poll(() => page.getByText("What a person reads").count()).toBe(1);
    await button("Send again").click();
    await reads(/blocked/i);
    const attempts = page
      .getByRole("heading", { name: "Attempts" })
      .locator("..")
      .getByRole("listitem");
    expect(await attempts.count()).toBe(4);
    await button("Start over").click();
    await reads(/\(attempt 1\/3\)/);
    expect(await attempts.count()).toBe(1);
  });

  test("ends with a call that runs if the hints are applied", async ({ open }) => {
    const { button, call, reads } = await openPlayground(open);
    const sent = await call.innerText();
    await button("Apply hints").click();
    await reads(/the tool runs/);
    expect(await call.innerText()).not.toBe(sent);
    expect(await button("Apply hints").isDisabled()).toBe(true);
  });

  test("is replayed when the tool or the call changes", async ({ open }) => {
    const { button, call, reads, tool, write } = await openPlayground(open);
    await button("Send again").click();
    await reads(/\(attempt 2\/3\)/);
    await write(tool, CITY);
    await reads(/\(attempt 2\/3\)[^]*\/city \(VAL-001\)/);
    await write(call, '{"city": 5}');
    await reads(/\(attempt 2\/3\)[^]*\/city \(VAL-002\)/);
    await call.fill('{\n  "city": "Rome"\n}');
    await reads(/the tool runs[^]*"Rome"/);
  });

  test("can be typed", async ({ open }) => {
    const { call, page, reads, write } = await openPlayground(open);
    await write(call, "");
    await call.pressSequentially('{"content": "one');
    await reads(/cut off/i);
    await page.keyboard.type('", "path": "a.md"}');
    await reads(/the tool runs/);
  });
});
