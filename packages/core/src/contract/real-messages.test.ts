import { describe, expect, test } from "vitest";
import { parseRejection } from "../message/index.ts";
import { createContract } from "./create-contract.ts";

const ASKS = "If you do not know a value, ask the user.";
const LETTERS = "abcdefghijklmnopqrst";
let conversations = 0;

/** What a model reads of its first call of a tool with these fields. */
async function messageFor(
  properties: Readonly<Record<string, object>>,
  sent: unknown,
  options: Parameters<typeof createContract>[0] & { readonly required?: readonly string[] } = {},
): Promise<string> {
  const { required = Object.keys(properties), ...given } = options;
  const tool = { name: "tool", inputSchema: { type: "object", properties, required } };
  conversations += 1;
  const answer = await createContract({ logger: false, ...given }).admit(
    { id: "1", name: "tool", arguments: sent },
    { tool, conversationId: String(conversations) },
  );
  return answer.status === "admitted" ? "runs" : answer.result.content;
}

const size = { size: { type: "integer" } };

describe("a name that was not offered", () => {
  // As a benchmark declares them: the tools that were meant come last.
  const names = [
    ...Array.from({ length: 20 }, (_, at) => `${LETTERS.charAt(at).repeat(3)}_api`),
    "authenticate_twitter",
    "post_tweet",
    "retweet",
    "ls",
  ];

  async function answerTo(name: string): Promise<string> {
    conversations += 1;
    const answer = await createContract({ logger: false }).admit(
      { id: "1", name, arguments: {} },
      { tools: names.map((one) => ({ name: one })), conversationId: String(conversations) },
    );
    return answer.status === "admitted" ? "runs" : answer.result.content;
  }

  test.each([
    ["ls<|channel|>commentary", 'Expected: one of "ls", ', 'Hint: use "ls"'],
    ["default_api.ls", 'Expected: one of "ls", ', 'Hint: use "ls"'],
    ["functions.postTweet", 'Expected: one of "post_tweet", "retweet", ', 'Hint: use "post_tweet"'],
  ])("is read as the tool that was meant: %s", async (called, expected, hint) => {
    const text = await answerTo(called);
    expect(text).toContain(`  ${expected}`);
    expect(text).toMatch(/ and 14 more$/m);
    expect(text).toContain(`  ${hint}\n\nCall one of the listed tools instead.`);
  });

  test.each([
    ["tweet_a_picture", '"retweet", "post_tweet", '],
    ["python", ""],
  ])("without a near one says that no tool may be needed: %s", async (called, first) => {
    const text = await answerTo(called);
    expect(text).toContain(`  Expected: one of ${first}`);
    expect(text).not.toContain("Hint:");
    expect(text.split("\n").at(-1)).toBe("Call one of the listed tools, or answer without a tool.");
  });
});

describe("a model that does not know a value is told to ask", () => {
  test.each([
    ["a word for it", size, { size: "unknown" }],
    ["the same in capitals, with blanks", size, { size: " Unknown " }],
    ["to be done", size, { size: "TBD" }],
    ["Python's nothing", size, { size: "None" }],
    ["what a form offers", size, { size: "dontcare" }],
    ["a question mark", size, { size: "?" }],
    [
      "a question",
      size,
      { size: "What initial population size of creatures would you like to start with?" },
    ],
    ["a template", size, { size: "<population_size>" }],
    ["null for a required field", size, { size: null }],
    ["a missing field without a usual value", size, {}],
    ["a placeholder that is not listed", { unit: { enum: ["C", "F"] } }, { unit: "unspecified" }],
    ["a placeholder in a list", { ids: { type: "array", items: size.size } }, { ids: ["TBD"] }],
  ])("%s", async (_, properties, sent) => {
    const text = await messageFor(properties, sent);
    expect(text.split("\n").at(-1)).toBe(
      `Correct these and call 'tool' again with all arguments. ${ASKS}`,
    );
  });

  const city = { city: { type: "string" } };
  test.each([
    ["a word that the schema allows", { ...city, ...size }, { city: "unknown", size: 5.2 }],
    ["a question that it allows", { ...city, ...size }, { city: "Which one is it?", size: 5.2 }],
    ["a value that is only wrong", size, { size: "theta" }],
    ["a fraction", size, { size: 5.2 }],
    ["a missing field with a usual value", { size: { ...size.size, default: 10 } }, {}],
    [
      "a question of one word is a spelling",
      { unit: { enum: ["celsius", "fahrenheit"] } },
      { unit: "celcius?" },
    ],
  ])("not for %s", async (_, properties, sent) => {
    const text = await messageFor(properties, sent);
    expect(text.split("\n").at(-1)).toBe("Correct these and call 'tool' again with all arguments.");
  });

  test("nor for a field that may be left out", async () => {
    const text = await messageFor(size, { size: "None" }, { required: [] });
    expect(text).toContain("Hint: leave it out");
    expect(text).not.toContain(ASKS);
  });
});

describe("places where the same is wrong share a bullet", () => {
  const names = Array.from({ length: 13 }, (_, at) => `${LETTERS.charAt(at)}_rating`);
  const types = ["string", "integer", "boolean", "number"];
  const fields = Object.fromEntries(
    names.map((name, at) => [name, { type: types[at % types.length] }]),
  );
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  const places = names.map((name) => `/${name}`);

  test.each(["standard", "compact"] as const)(
    "thirteen nulls cost one, whatever their types: %s",
    async (style) => {
      const text = await messageFor(fields, nulls, { required: [], format: { style } });
      const bullets = text.split("\n").filter((line) => /^[•-] /.test(line));
      expect(bullets).toHaveLength(1);
      expect(bullets[0]).toContain(`${places.join(", ")} (VAL-002): `);
      expect(text).not.toContain("more error");
      const read = parseRejection(text);
      expect(read?.errors.map(({ fieldPath, hint }) => [fieldPath, hint])).toEqual(
        places.map((place) => [place, "leave it out"]),
      );
    },
  );

  const elements = { elements: { type: "array", items: { type: "integer" } } };
  test.each([
    ["five neighbours", ["a", "b", "c", "d", "e"], "/elements/0 to /elements/4"],
    [
      "neighbours, and one further on",
      ["a", "b", "c", 3, 4, "d"],
      "/elements/0 to /elements/2, /elements/5",
    ],
    ["two are listed", ["a", "b"], "/elements/0, /elements/1"],
  ])("%s", async (_, sent, heads) => {
    const text = await messageFor(elements, { elements: sent });
    expect(text).toContain(`\n• ${heads} (VAL-002): Type mismatch: expected integer, got string\n`);
    expect(parseRejection(text)?.errors.map(({ fieldPath }) => fieldPath)).toEqual(
      sent.flatMap((one, at) => (typeof one === "string" ? [`/elements/${at}`] : [])),
    );
  });

  test("a place with a comma or a blank keeps its own", async () => {
    const odd = ["a, b", "max age", "plain", "simple"];
    const properties = Object.fromEntries(odd.map((name) => [name, { type: "integer" }]));
    const sent = Object.fromEntries(odd.map((name) => [name, true]));
    const text = await messageFor(properties, sent);
    const heads = text.split("\n").flatMap((line) => /^• (.*) \(VAL-002\)/.exec(line)?.[1] ?? []);
    expect(heads.toSorted()).toEqual(["/a, b", "/max age", "/plain, /simple"]);
    const read = parseRejection(text)?.errors.map(({ fieldPath }) => fieldPath);
    expect(read?.toSorted()).toEqual(odd.map((name) => `/${name}`));
  });

  test("other expectations, hints and values keep their own", async () => {
    const properties = { a: { type: "integer" }, b: { type: "boolean" }, c: { type: "integer" } };
    const text = await messageFor(properties, { a: "x", b: "x", c: "7" });
    expect(text.match(/^• /gm)).toHaveLength(3);
  });

  test("a message of version 1.0, a bullet for each place, is read alike", async () => {
    const text = await messageFor(fields, nulls, { required: [] });
    const [, shared = ""] = /^(• .*?)\n\n/ms.exec(text) ?? [];
    const apart = places.map((place) => shared.replace(/^• .*? \(/, `• ${place} (`)).join("\n");
    expect(parseRejection(text.replace(shared, apart))?.errors).toEqual(
      parseRejection(text)?.errors,
    );
  });
});

describe("the excerpt around a place that is not JSON", () => {
  const properties = { p: { type: "number" }, note: { type: "string" } };

  test("is short, whatever the arguments are", async () => {
    const long = "words that go on ".repeat(500);
    const text = await messageFor(properties, `{"note": "${long}", "p": 1/6}`);
    const [line = ""] = text.split("\n").filter((one) => one.includes(">>>"));
    expect(line).toContain('"p": 1>>>/6}');
    expect(line.length).toBeLessThan(140);
  });

  test.each([
    ["a secret by its shape", '{"note": "sk-proj-abcdefghijklmnopqrstuvwxyz123456", "p": 1/6}', {}],
    ["a secret by its name", '{"password": "hunter2", "p": 1/6}', {}],
    ["a redactor of the host's", '{"note": "x", "p": 1/6}', { redact: [(text: string) => text] }],
  ])("is left out beside %s", async (_, sent, options) => {
    const text = await messageFor(properties, sent, options);
    expect(text).toContain("(VAL-004): Invalid JSON at position");
    expect(text).toContain("Hint: write the result of a calculation");
    expect(text).not.toMatch(/>>>|hunter2|abcdefgh/);
  });
});
