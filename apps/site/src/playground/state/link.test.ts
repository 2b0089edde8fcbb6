import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyString } from "../../testing/any-string.ts";
import { compress, decompress } from "./compress.ts";
import {
  MAX_LINK,
  decodeLink,
  decodeLintLink,
  encodeLink,
  encodeLintLink,
  isLintLink,
} from "./link.ts";
import { OPTION_NAMES, OPTION_RANGES } from "./options.ts";
import {
  DEFAULT_OPTIONS,
  EMPTY_STATE,
  MAX_CALLS,
  type PlaygroundOptions,
  type PlaygroundState,
} from "./playground-state.ts";

const anyText = fc.oneof(anyString, fc.json());
const anyOptions = fc.record(
  Object.fromEntries(OPTION_NAMES.map((name) => [name, anyOption(name)])),
) as unknown as fc.Arbitrary<PlaygroundOptions>;
const anyState: fc.Arbitrary<PlaygroundState> = fc.record({
  tool: fc.record({ language: fc.constantFrom("json", "zod"), text: anyText }),
  sent: fc.array(anyText, { maxLength: MAX_CALLS - 1 }),
  call: anyText,
  options: fc.oneof(fc.constant(DEFAULT_OPTIONS), anyOptions),
});

function anyOption(name: keyof PlaygroundOptions): fc.Arbitrary<unknown> {
  const range = OPTION_RANGES[name];
  switch (range.kind) {
    case "choice":
      return fc.constantFrom(...range.values);
    case "number":
      return fc.integer(range);
    case "boolean":
      return fc.boolean();
    case "text":
      return fc.string({ maxLength: range.maxLength });
  }
}

async function fragmentOf(state: PlaygroundState): Promise<string> {
  const link = await encodeLink(state);
  return "fragment" in link ? link.fragment : link.fault;
}

test("any state is read from its link as it was", async () => {
  await fc.assert(
    fc.asyncProperty(anyState, async (state) => {
      const fragment = await fragmentOf(state);
      expect(fragment).toMatch(/^v1\.[\w-]+$/);
      expect(await decodeLink(fragment)).toEqual({ state });
    }),
  );
});

test("any fragment is read or has a fault", async () => {
  const anyFragment = fc.oneof(
    anyString,
    fc.base64String().map((data) => `v1.${data.replaceAll(/[+/=]/g, "_")}`),
    fc.tuple(fc.constantFrom("v1.", "v2.", "example="), fc.string()).map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(anyFragment, async (fragment) => {
      const keys = Object.keys((await decodeLink(fragment)) ?? { state: "empty" });
      expect(["state", "example", "fault"]).toContain(keys.join());
    }),
  );
});

test("a link that lost its end, or a piece, has a fault", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyState,
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      async (state, at, count) => {
        const whole = await fragmentOf(state);
        const start = 3 + (at % (whole.length - 3));
        const damaged = whole.slice(0, start) + whole.slice(start + count);
        const decoded = await decodeLink(damaged);
        if (!("state" in (decoded ?? {}))) expect(decoded).toHaveProperty("fault");
        expect(await decodeLink(whole.slice(0, start))).toHaveProperty("fault");
      },
    ),
  );
});

describe("a link", () => {
  test("holds only what differs from the defaults", async () => {
    const style = "compact" as const;
    const state = { ...EMPTY_STATE, options: { ...DEFAULT_OPTIONS, style } };
    const data = (await fragmentOf(state)).slice("v1.".length);
    expect(await decompress(data, 1_000)).toEqual({
      text: '{"tool":"{}","call":"{}","options":{"style":"compact"}}',
    });
  });

  test("that was shared is read as long as its version is", async () => {
    expect(await decodeLink("v1.q1Yqyc_PUbJSqq5V0lFKTsyBsmsB")).toEqual({ state: EMPTY_STATE });
  });

  test("to an example that is unchanged is its name", async () => {
    const state = { ...EMPTY_STATE, call: '{"pth":1}' };
    expect(await encodeLink(state, { id: "misspelt-key", state: { ...state } })).toEqual({
      fragment: "example=misspelt-key",
    });
    expect(await decodeLink("example=misspelt-key")).toEqual({ example: "misspelt-key" });
    const changed = await encodeLink(EMPTY_STATE, { id: "misspelt-key", state });
    expect(changed).toEqual({ fragment: await fragmentOf(EMPTY_STATE) });
  });

  test("is read whatever this version writes later", async () => {
    const stored = {
      tool: "{}",
      language: "zod",
      call: "1",
      sent: ["2"],
      options: { maxAttempts: 5 },
    };
    expect(await decodeLink(`v1.${await compress(JSON.stringify(stored))}`)).toEqual({
      state: {
        tool: { language: "zod", text: "{}" },
        sent: ["2"],
        call: "1",
        options: { ...DEFAULT_OPTIONS, maxAttempts: 5 },
      },
    });
  });

  test("is empty if there is no fragment", async () => {
    expect(await decodeLink("")).toBeUndefined();
  });
});

describe("a state that is too large for a link", () => {
  test.each([
    [
      "that compresses badly",
      randomText(300_000),
      /^This is too large for a link\. The link has [\d,]+ characters, at most 200,000 fit\.$/,
    ],
    [
      "that compresses well",
      "a".repeat(5_000_000),
      /^This is too large for a link\. The state has 5,000,0\d\d bytes, at most 4,000,000 fit\.$/,
    ],
    [
      "of wide characters",
      "€".repeat(2_000_000),
      /^This is too large for a link\. The state has 6,000,0\d\d bytes, at most 4,000,000 fit\.$/,
    ],
  ])("%s has a fault that says so", async (_, call, fault) => {
    expect(await encodeLink({ ...EMPTY_STATE, call })).toEqual({
      fault: expect.stringMatching(fault) as string,
    });
  });

  test("is not what 100 kB of arguments are", async () => {
    const state = { ...EMPTY_STATE, call: randomText(100_000) };
    expect(await decodeLink(await fragmentOf(state))).toEqual({ state });
  });
});

/** A string that hardly compresses, always the same one. */
function randomText(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (seed % 90));
  }).join("");
}

describe("a fragment", () => {
  const stored = { tool: "{}", call: "{}" };
  const no = (reason: string): string => `This link does not hold a state of this page: ${reason}.`;

  test.each([
    ["of another page", "installation", "This link is not from this page, or it is damaged."],
    [
      "with characters that no link has",
      "v1.a b",
      "This link is not from this page, or it is damaged.",
    ],
    [
      "of another version",
      "v2.q1YqVjJSsjKoBQA",
      "This link has the format v2; this page reads v1.",
    ],
    ["without content", "v1.", "This link is damaged, or its end is missing."],
    [
      "that is too long",
      `v1.${"a".repeat(MAX_LINK)}`,
      "This link is too long to come from this page.",
    ],
  ])("%s has a fault", async (_, fragment, fault) => {
    expect(await decodeLink(fragment)).toEqual({ fault });
  });

  test.each([
    ["a number", 1, no("it is not an object")],
    ["a list", [], no("it is not an object")],
    ["no tool", { call: "" }, no("tool must be a string")],
    ["a tool that is not a string", { ...stored, tool: {} }, no("tool must be a string")],
    ["no call", { tool: "" }, no("call must be a string")],
    ["another language", { ...stored, language: "yup" }, no("language must be json or zod")],
    [
      "sent calls that are not a list",
      { ...stored, sent: "x" },
      no("sent must be a list of strings"),
    ],
    [
      "sent calls that are not strings",
      { ...stored, sent: [1] },
      no("sent must be a list of strings"),
    ],
    [
      "too many calls",
      { ...stored, sent: Array.from({ length: 5_000 }, () => "") },
      no("it has 5001 calls, and a conversation here has 20 at most"),
    ],
    ["options that are not an object", { ...stored, options: [] }, no("options must be an object")],
    ["an unknown option", { ...stored, options: { color: 1 } }, no('there is no option "color"')],
    [
      "a prototype as option",
      JSON.parse('{"tool":"","call":"","options":{"__proto__":{}}}'),
      no('there is no option "__proto__"'),
    ],
    [
      "an option of another type",
      { ...stored, options: { maxAttempts: "3" } },
      no("the option maxAttempts must be a whole number from 1 to 10"),
    ],
    ["an unknown field", { ...stored, "<b>": 1 }, no('it has the unknown field "<b>"')],
  ])("that holds %s has a fault", async (_, value, fault) => {
    expect(await decodeLink(`v1.${await compress(JSON.stringify(value))}`)).toEqual({ fault });
  });

  test("that holds no JSON has a fault", async () => {
    expect(await decodeLink(`v1.${await compress("{")}`)).toEqual({
      fault: "This link is damaged: its content is not JSON.",
    });
  });

  test("that would be unpacked to 10 MB is not", async () => {
    const bomb = `v1.${await compress(JSON.stringify({ ...stored, call: "a".repeat(10_000_000) }))}`;
    expect(bomb.length).toBeLessThan(MAX_LINK);
    expect(await decodeLink(bomb)).toEqual({ fault: "This link holds more than this page reads." });
  });
});

describe("a link to tools to lint", () => {
  test("restores any text, and is not a link to a call", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (given) => {
        // Half a character is not text.
        const text = new TextDecoder().decode(new TextEncoder().encode(given));
        const link = await encodeLintLink(text);
        if ("fault" in link) throw new Error(link.fault);
        expect(isLintLink(link.fragment)).toBe(true);
        expect(await decodeLintLink(link.fragment)).toEqual({ text });
        expect(await decodeLink(link.fragment)).toHaveProperty("fault");
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ["lint-v1.AAAA", /damaged/],
    ["lint-v2.AAAA", /the format lint-v2/],
    [`lint-v1.${"A".repeat(MAX_LINK)}`, /too long/],
    ["lint-v1.<b>", /not from this page/],
  ])("%.20s is refused", async (fragment, fault) => {
    expect(await decodeLintLink(fragment)).toEqual({
      fault: expect.stringMatching(fault) as unknown,
    });
  });

  test.each(["", "v1.abc", "example=secret", "linter", "lint-x"])(
    "%j is not a link",
    (fragment) => {
      expect(isLintLink(fragment)).toBe(false);
    },
  );
});
