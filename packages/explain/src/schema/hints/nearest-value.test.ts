import { expect, test } from "vitest";
import { nearestValue } from "./nearest-value.ts";

test.each<[string, sent: unknown, allowed: readonly unknown[], meant: unknown]>([
  ["its short form", "middle", ["TOP", "MID", "BOT"], "MID"],
  ["another short form", "bottom", ["TOP", "MID", "BOT"], "BOT"],
  ["an s after the last of two words", "km/hs", ["km/h", "mph"], "km/h"],
  [
    "the last letter of many words twice",
    "다용도실, 통돌이, 중지지",
    ["거실, 에어컨, 실행", "다용도실, 통돌이, 중지"],
    "다용도실, 통돌이, 중지",
  ],
  ["a remark after it", "Public (default)", ["Public", "Private"], "Public"],
])("%s: %j", (_, sent, allowed, meant) => {
  expect(nearestValue(allowed, sent)).toBe(meant);
});

test.each<[string, sent: string, allowed: readonly string[]]>([
  ["one more letter is another format", "jsonl", ["json", "yaml", "xml"]],
  ["two letters before it are another word", "female", ["male", "other"]],
  ["two letters before a short word too", "woman", ["man", "child"]],
  ["a word after it", "replace_content_range", ["update_content", "replace_content"]],
  ["more letters after it", "javascript", ["java", "python"]],
  ["a prefix that turns it around", "inactive", ["active"]],
  ["a prefix that makes another word", "prepaid", ["paid"]],
  ["words before it, which narrow it", "last six months", ["six_months", "year"]],
  ["a word before it", "past year", ["six_months", "year"]],
  ["a softer form", "soft_delete", ["delete", "update"]],
  ["a rehearsal", "dry_run", ["run", "plan"]],
  ["a later time", "schedule_send", ["send", "draft"]],
  ["a word joined to it", "SOLORANKED", ["RANKED", "NORMAL"]],
  ["a remark that narrows it", "delete (dry run)", ["delete", "update"]],
  ["a word that denies it", "not yet paid", ["paid", "open"]],
  ["both of two endings", "last long year", ["year", "long_year"]],
])("not for %s: %j", (_, sent, allowed) => {
  expect(nearestValue(allowed, sent)).toBeUndefined();
});
