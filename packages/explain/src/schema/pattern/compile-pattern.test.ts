import { RE2JS } from "re2js";
import { countCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Pattern, type PatternEngine, compilePattern } from "./compile-pattern.ts";

interface Row {
  readonly source: string;
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

const raw = String.raw;
const LINEAR_ENGINE: PatternEngine = (source) => RE2JS.compile(source);

const SEMVER = raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`;
const EMAIL = raw`^[a-zA-Z0-9.!#$%&'*+/=?^_{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`;
const IPV4 = raw`^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$`;
const LOOSE_IPV4 = raw`^(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$`;
const UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$";
const BASE64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";

const ORDINARY: readonly Row[] = [
  row(raw`^([a-z0-9]+-)*[a-z0-9]+$`, ["my-new-branch"], ["my--branch", "-x"]),
  row(raw`^(?:[a-z0-9-]+\.)+[a-z]{2,}$`, ["api.example.com"], ["localhost"]),
  row(raw`^\d{4}-\d{2}-\d{2}$`, ["2025-03-01"], ["03/01/2025"]),
  row(raw`^(/[^/ ]*)+/?$`, ["/srv/app/"], ["srv/app"]),
  row(raw`^(?:\.[a-z]+)*$`, [".tar.gz", ""], ["gz"]),
  row("^(a|b|c)+$", ["abc"], ["abd"]),
  row("^([A-Z][a-z]+)( [A-Z][a-z]+)*$", ["Ada Lovelace"], ["ada lovelace"]),
  row(UUID, ["3d813cbb-47fb-42ba-91df-831e1593ac29"], ["3d813cbb"]),
  row(SEMVER, ["1.0.0-rc.1+build.5"], ["1.0"]),
  row(EMAIL, ["ada@example.com"], ["ada at example.com"]),
  row(
    raw`^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`,
    ["ada.l+x@example.co.uk"],
    ["ada@example"],
  ),
  row(IPV4, ["127.0.0.1"], ["256.0.0.1"]),
  row(LOOSE_IPV4, ["127.0.0.01"], ["1.2.3"]),
  row("^#([0-9a-f]{3}){1,2}$", ["#ff8800"], ["#ff88"]),
  row(BASE64, ["aGVsbG8="], ["aGVsbG8"]),
  row(raw`^https?://[^\s/$.?#].[^\s]*$`, ["https://example.com/a?b"], ["ftp://example.com"]),
  row(raw`^(https?://)?\S+$`, ["https://example.com", "example.com"], ["two words"]),
  row(raw`^\S+(\s+\S+)*$`, ["fix the login page"], [" leading"]),
  row(raw`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$`, ["Passw0rdPassw0rd"], ["password"]),
  row("^(?:(?!secret).)*$", ["public"], ["a secret"]),
  row("^.{1,1000}$", ["text"], [""]),
  row(raw`^\+?[1-9]\d{1,14}$`, ["+4915112345678"], ["0049"]),
  row(raw`^\p{L}[\p{L}\p{N}_]*$`, ["größe_2"], ["2nd"]),
  row("^(?:AF|AX|AL|DZ|AS|AD|AO)(?:,(?:AF|AX|AL|DZ|AS|AD|AO))*$", ["AF,AO"], ["AF,XX"]),
  row("todo", ["a todo list"], ["TODO"]),
  row("^(?:a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)$", ["abababbaab"], ["ab"]),
];

const POLYNOMIAL: readonly string[] = [
  raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`,
  raw`[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}`,
  raw`^\s*.*\s*$`,
  ".*.*.*x",
  raw`\s+$`,
  raw`^(['"]).*\1$`,
  raw`[\s\S]*[\s\S]*x`,
  raw`\b\w+\b.*\b\w+\b$`,
  "(?=(?:a|b)*c)",
  "(?<=a*)b",
];

const EXPONENTIAL: readonly string[] = [
  "^(a+)+$",
  "(a*)*",
  "(a|a)*$",
  "(a|aa)+$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(.*a){20}",
  raw`(\w+\s*)+$`,
  "(x+x+)+y",
  raw`^(\d+|\d+\.\d+)*$`,
  raw`(\w+)\1+$`,
  raw`(a+)\1*b`,
  "(?:a?){30}a{30}",
  "(a?b?c?d?)*e|(a|b)*(a|b)*c",
  "((((a?)*)*)*)*",
  "^((a{2,5}){2,5}){2,5}$",
  "^(.*?,){11}P",
  "(?=(a+)+$)",
  "(?<=(a+)+b)c",
  "(?i)(a|A)+$",
  "^(\0|\0)+$",
];

const PUMPS = ["a", "1", " ", ".", "x", "ab", "a.", "a-", "a@", "/a", ",", "é", "aA"];

describe("compilePattern", () => {
  test.each(ORDINARY)(
    "runs the ordinary pattern $source on texts of any practical length",
    (ordinary) => {
      expectVerdicts(ordinary);
      const pattern = compilePattern(ordinary.source);
      expect(pattern.maxLength).toBeGreaterThan(20_000);
      expectQuick(pattern, [...ordinary.accepts, "a", "1"].filter(Boolean), ["\n"]);
    },
  );

  test.each(POLYNOMIAL)("runs the polynomial pattern %s on short strings only", (source) => {
    const pattern = compilePattern(source);
    const { maxLength } = pattern;
    expect(maxLength).toBeGreaterThan(20);
    expect(maxLength).toBeLessThanOrEqual(5_000);
    expectQuick(pattern, PUMPS, ["", "!", "\n", "é"]);
  });

  test.each(EXPONENTIAL)("runs the exponential pattern %s on a few characters only", (source) => {
    const pattern = compilePattern(source);
    const { maxLength } = pattern;
    expect(maxLength).toBeGreaterThan(0);
    expect(maxLength).toBeLessThanOrEqual(25);
    expectQuick(pattern, PUMPS, ["", "!", "\n", "é"]);
  });

  test("accepts a string that is too long to try", () => {
    const pattern = compilePattern("^(a+)+$");
    expect(pattern.test("aaaa!")).toBe(false);
    expect(pattern.test(`${"a".repeat(pattern.maxLength)}!`)).toBe(true);
    expect(compilePattern("^[a-z]+$").test("A".repeat(10_000_001))).toBe(true);
  });

  test("runs a pattern on no string if even the empty one takes too long", () => {
    const pattern = compilePattern("(|){30}x");
    expect(pattern).toMatchObject({ supported: true, maxLength: -1 });
    expect(pattern.test("")).toBe(true);
  });

  test.each([
    row("b", ["abc"], ["xyz"]),
    row("^.$", ["💥", "é"], ["ab"]),
    row(raw`^[\w-.]+$`, ["read-file.v2"], ["read file"]),
    row(raw`^\_\-\@$`, ["_-@"], ["x"]),
    row("^{[a-z]+}$", ["{name}"], ["name"]),
    row(raw`^(?P<year>\d{4})-(?P<month>\d\d)$`, ["2025-03"], ["2025"]),
    row(raw`^(?P<quote>['"])\w+(?P=quote)$`, ["'a'"], [`'a"`]),
    row(raw`\A\w+\Z`, ["hello"], ["hello there", "Ahello!Z"]),
    row(raw`\A\w+\z`, ["hello"], ["hello there"]),
    row("(?i)^(get|post)$", ["GET", "Post"], ["PUT"]),
    row("^(?i)get$", ["GET"], ["PUT"]),
    row("(?s)^a.b$", ["a\nb"], ["ab"]),
    row("(?m)^b$", ["a\nb"], ["ab"]),
    row("^[a-z]{,3}$", ["", "abc"], ["abcd"]),
    row("^[]a]+$", ["a]"], ["b"]),
    row("^[^]a]+$", ["b"], ["a", "]"]),
    row(raw`^\\A\[(?P<x>y)$`, [raw`\A[y`], ["A[y"]),
    row("^(?i:ab)c$", ["ABc"], ["ABC"]),
  ])("reads $source as its author meant it", (meant) => {
    expectVerdicts(meant);
  });

  test.each([
    "(unclosed",
    "[unclosed",
    "*",
    "a++b",
    "(?>atomic)b",
    "(?(1)a|b)",
    "(?R)",
    "^[[:alpha:]]+$",
    raw`^\h+$`,
    raw`^\p{IsAlphabetic}+$`,
    raw`^\x{1F600}$`,
    raw`^[\w-.]\c1$`,
    raw`^[\w-.]\012$`,
    "a".repeat(5_001),
  ])("accepts everything if the runtime cannot compile %s", (source) => {
    const pattern = compilePattern(source);
    expect(pattern.supported).toBe(false);
    expect(pattern.test("anything")).toBe(true);
    expect("anything".length).toBeLessThan(pattern.maxLength);
  });

  test.each([
    ["many words", `^(?:${"AB|".repeat(1_500)}AB)+$`],
    ["many repetitions", "a*".repeat(1_000)],
    ["many options", `(?:${"a?".repeat(300)})*`],
    ["many counted repetitions", `^${".{0,64}".repeat(40)}x$`],
    ["nested loops", `${"(".repeat(99)}a${")*".repeat(99)}`],
    ["deeply nested loops", `${"(".repeat(2_400)}a${")*".repeat(1_200)}`],
    ["nested counts", `${"(".repeat(90)}a${"){2}".repeat(90)}`],
    ["nested counts of nothing", `${"(?:".repeat(90)}${"){64}".repeat(90)}`],
    ["large counts", "((((a{1,1000}){1,1000}){1,1000}){1,1000}){1,1000}"],
    ["many assertions", raw`^a(?:${raw`\B`.repeat(2_000)}a)*$`],
    ["many assertions by count", raw`^a(?:(?:(?:\B){1000}){1000}a)*$`],
    ["many classes", raw`(?i)${raw`[^\p{L}]+`.repeat(400)}`],
    ["many lookarounds", "(?=.*a)".repeat(700)],
    ["nested lookarounds", `${"(?=.*".repeat(90)}a${")".repeat(90)}`],
    ["many backreferences", `(a*)${raw`\1`.repeat(1_000)}`],
    ["empty choices", `(${"|".repeat(4_000)})*x`],
    ["open brackets", "[".repeat(5_000)],
  ])("is quick on a hostile pattern of %s", (_, source) => {
    const cost = countCost();
    const pattern = compilePattern(source);
    expect(cost()).toBeLessThan(2_000);
    expectQuick(pattern, PUMPS, ["", "!"]);
  });

  test("never throws, whatever the pattern and the string", () => {
    const fragments = fc.constantFrom(
      ...raw`( ) [ ] { } | * + ? ^ $ . \ - , 1 a (?P< (?= (?<! (?i) \A \u \p{L} {2,3} 💥`.split(
        " ",
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fragments, { maxLength: 12 }),
        fc.string({ unit: "binary" }),
        (parts, text) => {
          const pattern = compilePattern(parts.join(""));
          expect(pattern.test(text)).toBe(pattern.test(text));
          expect(compilePattern(parts.join("")).maxLength).toBe(pattern.maxLength);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe("compilePattern with an engine", () => {
  test("runs the engine, without a length limit from the pattern", () => {
    const pattern = compilePattern("^(a+)+$", LINEAR_ENGINE);
    expect(pattern).toMatchObject({ supported: true, maxLength: 10_000_000 });
    expect(pattern.test("a".repeat(20_000))).toBe(true);
    expect(pattern.test(`${"a".repeat(20_000)}!`)).toBe(false);
  });

  test.each(ORDINARY.filter(({ source }) => !source.includes("(?=") && !source.includes("(?!")))(
    "agrees with the runtime on $source",
    (ordinary) => {
      expectVerdicts(ordinary, LINEAR_ENGINE);
    },
  );

  test("falls back to the runtime if the engine rejects a pattern", () => {
    const pattern = compilePattern(raw`^(?=.*\d)(\w)\1$`, LINEAR_ENGINE);
    expect(pattern.test("11")).toBe(true);
    expect(pattern.test("aa")).toBe(false);
  });

  test("accepts a string on which the engine fails", () => {
    const failing: PatternEngine = () => ({
      test() {
        throw new Error("out of memory");
      },
    });
    expect(compilePattern("^a$", failing).test("b")).toBe(true);
  });
});

function row(source: string, accepts: readonly string[], refuses: readonly string[]): Row {
  return { source, accepts, refuses };
}

function expectVerdicts({ source, accepts, refuses }: Row, engine?: PatternEngine): void {
  const pattern = compilePattern(source, engine);
  expect(pattern.supported).toBe(true);
  expect(accepts.filter((text) => !pattern.test(text))).toEqual([]);
  expect(refuses.filter((text) => pattern.test(text))).toEqual([]);
}

/** Runs a pattern on the longest strings it allows, most of which nearly match to the end. */
function expectQuick(pattern: Pattern, pumps: readonly string[], tails: readonly string[]): void {
  for (const tail of tails) {
    for (const pump of pumps) {
      const length = Math.max(0, pattern.maxLength - tail.length);
      const text = pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + tail;
      const cost = countCost();
      pattern.test(text);
      expect(cost()).toBeLessThan(2_000);
    }
  }
}
