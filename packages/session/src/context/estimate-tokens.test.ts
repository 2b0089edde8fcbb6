import { expectLinearCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

/** Bytes that look random and are the same in every run. */
function bytes(count: number, seed: number): Buffer {
  let state = seed;
  return Buffer.from(
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

function uuid(seed: number): string {
  const hex = bytes(16, seed).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const rows = <T>(count: number, row: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => row(index));

const TEXTS: readonly (readonly [string, string])[] = [
  [
    "English",
    "The contract validates the arguments, and the model reads what was wrong. ".repeat(40),
  ],
  [
    "German",
    "Der Vertrag prüft die Argumente, und das Modell liest, was daran falsch war. ".repeat(40),
  ],
  [
    "Vietnamese",
    "Đây là bài kiểm tra ước lượng số lượng từ trong ngữ cảnh của mô hình. ".repeat(40),
  ],
  ["Chinese", "这是一个关于模型上下文窗口的测试文本，包含许多汉字。".repeat(40)],
  ["Japanese", "これはモデルのコンテキストウィンドウに関するテストです。".repeat(40)],
  ["Korean", "이것은 모델의 컨텍스트 창에 대한 테스트입니다. ".repeat(40)],
  ["Russian", "Это проверка оценки количества токенов в контексте модели. ".repeat(40)],
  ["Arabic", "هذا اختبار لتقدير عدد الرموز في سياق النموذج. ".repeat(40)],
  ["Hebrew", "זוהי בדיקה של הערכת מספר האסימונים בהקשר של המודל. ".repeat(40)],
  ["Hindi", "यह मॉडल के संदर्भ में टोकन की संख्या का अनुमान लगाने का परीक्षण है। ".repeat(40)],
  ["Thai", "นี่คือการทดสอบการประมาณจำนวนโทเค็นในบริบทของโมเดล ".repeat(40)],
  ["Khmer", "នេះគឺជាការសាកល្បងនៃបរិបទគំរូ។ ".repeat(40)],
  ["Amharic", "ይህ የሞዴሉ አውድ ሙከራ ነው። ".repeat(40)],
  ["emoji", "😀🚀🎉👍 ".repeat(100)],
  ["base64", bytes(6_000, 1).toString("base64")],
  ["base64url", bytes(6_000, 2).toString("base64url")],
  ["hex", bytes(4_000, 3).toString("hex")],
  ["upper-case hex", bytes(4_000, 4).toString("hex").toUpperCase()],
  ["UUIDs", rows(200, uuid).join("\n")],
  ["hashes", rows(200, (seed) => bytes(20, seed).toString("hex")).join("\n")],
  ["short hashes", rows(200, (seed) => bytes(4, seed).toString("hex")).join(" ")],
  ["ids of calls", rows(200, (seed) => `call_${bytes(18, seed).toString("base64url")}`).join(" ")],
  ["random letters", Array.from(bytes(4_000, 5), (byte) => "ACGT"[byte % 4]).join("")],
  [
    "base32",
    Array.from(bytes(4_000, 9), (byte) => "abcdefghijklmnopqrstuvwxyz234567"[byte % 32]).join(""),
  ],
  ["digits", bytes(4_000, 6).join("")],
  [
    "JSON",
    JSON.stringify(rows(100, (id) => ({ id, name: `user ${id}`, at: "2026-01-01T10:00:00Z" }))),
  ],
  ["CSV", rows(200, (row) => `${row},${row * 1.3701},${row * 77.1},ok`).join("\n")],
  [
    "a log",
    rows(100, (id) => `2026-11-22T12:10:09.123Z INFO [worker-${id}] GET /api/users/${id} 200`).join(
      "\n",
    ),
  ],
  [
    "paths",
    rows(100, (id) => `packages/session/src/attempts/classification-${id}/index`).join("\n"),
  ],
  ["code", estimateTokens.toString().repeat(20)],
];

describe("an estimate", () => {
  test.each(TEXTS)("of %s is close to what the o200k tokenizer counts", (_, text) => {
    const ratio = estimateTokens(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(2);
  });

  test.each<readonly [string, string, number]>([
    ["nothing", "", 0],
    ["one word", "hello", 2],
    ["a base64 run of 56", bytes(42, 7).toString("base64"), 46],
    ["a base64 run inside prose", `image: ${bytes(42, 7).toString("base64")} end`, 50],
  ])("of %s", (_, text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test("of any string is a whole number, not below that of its half", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const tokens = estimateTokens(text);
        expect(Number.isSafeInteger(tokens)).toBe(true);
        expect(tokens).toBeGreaterThanOrEqual(text.trim() === "" ? 0 : 1);
        expect(estimateTokens(`${text} ${text}`)).toBeGreaterThanOrEqual(tokens);
      }),
    );
  });
});

describe("a string of a megabyte takes linear time", () => {
  test.each<readonly [string, string]>([
    ["of one letter", "x"],
    ["of base64", bytes(3_000, 8).toString("base64")],
    ["of words", "the quick brown fox "],
    ["of runs that are just not endless", `${"a".repeat(47)}1`],
    ["of blanks", " "],
    ["of line feeds", "\n"],
    ["of dashes", "-"],
    ["of signs that end runs", "a=%"],
    ["of Chinese", "汉"],
    ["of emoji", "😀"],
    ["of halves of emoji", "\ud83d"],
  ])("%s", async (_, unit) => {
    await expectLinearCost((size) => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      return () => estimateTokens(text);
    }, 125_000);
  });
});
