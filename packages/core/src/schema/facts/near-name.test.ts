import { describe, expect, test } from "vitest";
import { longForm, nearest } from "./near-name.ts";

describe("nearest", () => {
  test.each([
    ["case and separators", "maxResults", ["max_results", "min_results"], "max_results"],
    ["separators that were left out", "pagesize", ["page", "page_size"], "page_size"],
    ["accents", "telefono", ["teléfono"], "teléfono"],
    ["umlauts as they are transcribed", "Strasse", ["Straße"], "Straße"],
    ["a plural", "ids", ["id", "name"], "id"],
    ["an abbreviation", "cmd", ["command", "cwd"], "command"],
    ["the same in a longer name", "old_string", ["old_str", "new_str"], "old_str"],
    ["a day", "thur", ["tuesday", "thursday"], "thursday"],
    ["a word more that says little", "file_path", ["path", "mode"], "path"],
    ["a word less that says little", "email", ["email_address"], "email_address"],
    ["glued to it", "filepath", ["path"], "path"],
    ["cut short", "descr", ["description"], "description"],
    ["letters swapped", "tpye", ["type"], "type"],
    ["a vowel left out", "pth", ["path"], "path"],
    ["a consonant left out deep inside", "waer", ["water"], "water"],
    ["a letter doubled", "timmeout", ["timeout"], "timeout"],
    ["a vowel taken for another", "grey", ["gray", "green"], "gray"],
    [
      "a letter left out of a short word of many",
      "red_file",
      ["read_file", "list_files"],
      "read_file",
    ],
    ["another", "st_replace", ["str_replace", "view"], "str_replace"],
    ["two slips in a long word", "recpient", ["recipient"], "recipient"],
  ])("%s: %s", (_, sent, known, near) => {
    expect(nearest(sent, known)).toBe(near);
  });

  test.each([
    ["another word before it", "limit_price", ["price"]],
    ["its opposite", "soft_delete", ["delete", "archive"]],
    ["a direction", "left", ["right", "bottom_left"]],
    ["both of two", "read_write", ["read", "write"]],
    ["as near to one as to the other", "url", ["html_url", "api_url"]],
    ["an id where a name was sent", "owner", ["owner_id"]],
    ["a letter in front", "async", ["sync"]],
    ["a prefix", "preview", ["review"]],
    ["another vowel at the end", "quote", ["quota"]],
    ["a consonant more in a short word", "sale", ["scale"]],
    ["a vowel more in a short word", "red", ["read"]],
    ["the begin of too many words", "ref", ["refresh"]],
    ["another country", "Sudan", ["South Sudan"]],
    ["another size", "t3.large", ["t3.xlarge"]],
    ["another version", "gpt-4-mini", ["gpt-4o-mini"]],
    ["another number", "address_line_2", ["address_line_1"]],
    ["other letters", "min_price", ["max_price"]],
    ["nothing but signs", "--", ["-", "a"]],
    ["a whole text", "x".repeat(65), ["x".repeat(64)]],
  ])("not %s: %s", (_, sent, known) => {
    expect(nearest(sent, known)).toBeUndefined();
  });
});

test.each([
  ["msg", "message"],
  ["lng", "longitude"],
  ["message", "message"],
  ["constructor", "constructor"],
])("%s is %s", (word, long) => {
  expect(longForm(word)).toBe(long);
});
