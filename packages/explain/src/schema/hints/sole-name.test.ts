import { describe, expect, test } from "vitest";
import { resembles, standsFor } from "./sole-name.ts";

describe("a key that may be the missing field", () => {
  test.each([
    ["a word before it", "tool_owner", "owner"],
    ["a word after it", "ownerLogin", "owner"],
    ["two words before it", "the_repo_owner", "owner"],
    ["a doubled letter", "idd", "id"],
    ["a dropped letter", "cty", "city"],
    ["a replaced letter", "patj", "path"],
    ["swapped first letters", "ubcket", "bucket"],
    ["two wrong letters in a long name", "recieveddat", "receivedDate"],
  ])("%s: %s for %s", (_, sent, missing) => {
    expect(standsFor(sent, missing)).toBe(true);
  });

  test.each([
    ["a word within it", "owner_login_id", "owner_id"],
    ["a word less", "owner", "owner_id"],
    ["another first letter", "height", "weight"],
    ["two wrong letters in a short name", "pat", "paths"],
    ["another number", "line_1", "line_2"],
    ["another label", "dataset_a", "dataset_b"],
    ["a number more", "line2", "line"],
    ["another word", "location", "path"],
    ["one letter", "a", "b"],
    ["nothing to compare", "--", "path"],
    ["a name of punctuation", "path", "--"],
    ["what is left out of it", "exclude_files", "files"],
    ["a rehearsal of it", "dry_run", "run"],
    ["less than what is left out", "paths", "ignored_paths"],
  ])("not %s: %s for %s", (_, sent, missing) => {
    expect(standsFor(sent, missing)).toBe(false);
  });
});

describe("a name that is hardly made up", () => {
  test.each([
    ["sell", ["shell"]],
    ["due_oon", ["name", "due_on"]],
    ["url", ["html_url", "api_url"]],
    ["limit_price", ["price"]],
  ])("%s resembles one of %s", (name, declared) => {
    expect(resembles(name, declared)).toBe(true);
  });

  test.each([
    ["reason", ["path", "content"]],
    ["verbose", ["path", "mode"]],
    ["id", ["to", "cc"]],
    ["anything", []],
  ])("%s resembles none of %s", (name, declared) => {
    expect(resembles(name, declared)).toBe(false);
  });
});
