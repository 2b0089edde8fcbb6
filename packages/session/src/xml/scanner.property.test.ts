import { expectLinearCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NextTurn, XmlEnd, XmlEvent } from "../shared/index.ts";
import { createScanner } from "./scanner.ts";
import { offeredState } from "./testing/offered-state.ts";

const NEXT: NextTurn = {
  tools: [{ name: "add", inputSchema: {} }],
  isForced: false,
  report: { format: "markdown" },
};
const OPENING = /<(?<slash>\/?)ai-agent-deadbeef-(?<tag>[^<>]{0,511})>/i;

function scan(chunks: readonly string[], stop: string | undefined = "stop"): XmlEnd {
  const state = offeredState();
  const scanner = createScanner(state, NEXT);
  const events = chunks.flatMap((chunk) => scanner.push(chunk));
  const end = scanner.end(stop);
  return { ...end, events: joined([...events, ...end.events]) };
}

/** Texts of neighbouring chunks are one text. */
function joined(events: readonly XmlEvent[]): readonly XmlEvent[] {
  const out: XmlEvent[] = [];
  for (const event of events) {
    const last = out.at(-1);
    if (event.type === "text" && last?.type === "text") {
      out[out.length - 1] = { type: "text", text: last.text + event.text };
    } else out.push(event);
  }
  return out;
}

/** The text outside of blocks, found with a whole answer at hand. */
function visibleIn(answer: string): string {
  const found = OPENING.exec(answer);
  if (!found) {
    const cut = /<\/?ai-agent-deadbeef-[^<>]{0,512}$/i.exec(answer);
    return cut ? answer.slice(0, cut.index) : answer;
  }
  const before = answer.slice(0, found.index);
  const rest = answer.slice(found.index + found[0].length);
  const tag = found.groups?.["tag"] ?? "";
  if (found.groups?.["slash"] || tag.trimEnd().endsWith("/")) return before + visibleIn(rest);
  const [slot = ""] = /^[^\s/]*/.exec(tag) ?? [];
  const closing = new RegExp(String.raw`</ai-agent-deadbeef-${escaped(slot)}\s*>`, "i").exec(rest);
  return closing ? before + visibleIn(rest.slice(closing.index + closing[0].length)) : before;
}

function escaped(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

const visible = (events: readonly XmlEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");

/** Answers made of whole tags, of parts of them, and of anything. */
const answers: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<ai-agent-deadbeef-0001 tool="add">{"a":1}</ai-agent-deadbeef-0001>',
        "<ai-agent-deadbeef-0002 tool='add'>",
        "</ai-agent-deadbeef-0002>",
        "</ai-agent-deadbeef-0002 \n>",
        '<AI-AGENT-deadbeef-FINAL tool="agent__final_report" format="text">',
        "</ai-agent-deadbeef-FINAL>",
        '<ai-agent-deadbeef-0003 tool="add"/>',
        "<ai-agent-cafebabe-0001>",
        "<ai-agent-deadbeef-",
        "<ai-agent-dead",
        "</ai-agent-",
        "<ai-agent-deadbeef-[.*",
        "<",
        ">",
        '"',
        "/",
        " ",
        "\n",
      ),
      fc.string({ maxLength: 6, unit: "binary" }),
      fc.constantFrom("x".repeat(511), "x".repeat(520), " ".repeat(600)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

const cuts = (answer: string): fc.Arbitrary<readonly string[]> =>
  fc.array(fc.nat(answer.length), { maxLength: 10 }).map((places) =>
    split(
      answer,
      places.toSorted((a, b) => a - b),
    ),
  );

function split(answer: string, places: readonly number[]): readonly string[] {
  const edges = [0, ...places, answer.length];
  return edges.slice(1).map((end, index) => answer.slice(edges[index], end));
}

describe("any answer", () => {
  test("however it is cut into chunks, has the same events", () => {
    fc.assert(
      fc.property(
        answers.chain((answer) => fc.tuple(fc.constant(answer), cuts(answer))),
        fc.constantFrom("stop", "length", "other"),
        ([answer, chunks], stop) => {
          expect(scan(chunks, stop)).toEqual(scan([answer], stop));
          expect(scan(answer.split(""), stop)).toEqual(scan([answer], stop));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("shows all text outside of tags, and nothing else", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        expect(visible(scan([answer]).events)).toBe(visibleIn(answer));
      }),
      { numRuns: 3_000 },
    );
  });

  test("without this run's tags is shown as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (answer) => {
        expect(visible(scan([answer]).events)).toBe(answer);
      }),
    );
  });

  test("is shown as early as it can be", () => {
    const scanner = createScanner(offeredState(), NEXT);
    const shown = "a < b <ai-agent-deadbeef-x <"
      .split("")
      .map((chunk) => visible(scanner.push(chunk)));
    expect(shown.join("|")).toBe(
      [
        "a",
        " ",
        "",
        "< ",
        "b",
        " ",
        ...Array.from({ length: 20 }, () => ""),
        "",
        "<ai-agent-deadbeef-x ",
      ].join("|"),
    );
  });
});

test("every pair of cuts of an answer with calls and a report gives the same events", () => {
  const answer =
    'Hi <b>\n<ai-agent-deadbeef-0001 tool="add">{"t":"</ai-agent-x"}</ai-agent-deadbeef-0001><ai-agent-deadbeef-FINAL format=text>Done</ai-agent-deadbeef-FINAL>.';
  const whole = scan([answer]);
  expect(whole.events.map(({ type }) => type)).toEqual(["text", "call", "text", "final"]);
  for (let one = 0; one <= answer.length; one += 1) {
    for (let other = one; other <= answer.length; other += 1) {
      expect(scan(split(answer, [one, other]))).toEqual(whole);
    }
  }
});

describe("a megabyte costs in proportion to its length", () => {
  const call = '<ai-agent-deadbeef-0001 tool="add">';
  test.each([
    ["<", "<"],
    ["half tags", "<ai-agent-deadbeef-0001 tool='add' "],
    ["tags that nothing closes", call],
    ["half closing tags in a payload", `${call}</ai-agent-deadbeef-0001 `],
    ["whole calls", `${call}{}</ai-agent-deadbeef-0001>`],
    ["attributes that are none", `<ai-agent-deadbeef-0001 ${"a ".repeat(200)}>`],
  ])("of %s, at once and by the character", async (_what, unit) => {
    const prepare = (isByCharacter: boolean) => (size: number) => {
      const answer = unit.repeat(Math.ceil(size / unit.length));
      const chunks = isByCharacter ? answer.split("") : [answer];
      return () => scan(chunks);
    };
    await expectLinearCost(prepare(false), 262_144);
    await expectLinearCost(prepare(true), 32_768);
  });

  test("of one payload, by the character", async () => {
    await expectLinearCost((size) => {
      const chunks = `${call}${"x".repeat(size)}</ai-agent-deadbeef-0001>`.split("");
      return () => scan(chunks);
    }, 262_144);
  });
});
