import { describe, expect, test } from "vitest";
import { longForm, mayMean, nearest } from "./near-name.ts";

describe("nearest", () => {
  test.each([
    ["case and separators", "maxResults", ["max_results", "min_results"], "max_results"],
    ["missing separators", "pagesize", ["page", "page_size"], "page_size"],
    ["accents", "telefono", ["teléfono"], "teléfono"],
    ["transcribed umlauts", "Strasse", ["Straße"], "Straße"],
    ["a plural", "ids", ["id", "name"], "id"],
    ["an abbreviation", "cmd", ["command", "cwd"], "command"],
    ["an abbreviation in a longer name", "old_string", ["old_str", "new_str"], "old_str"],
    ["an abbreviated day", "thur", ["tuesday", "thursday"], "thursday"],
    ["an extra filler word", "file_path", ["path", "mode"], "path"],
    ["a missing filler word", "email", ["email_address"], "email_address"],
    ["a joined filler word", "filepath", ["path"], "path"],
    ["a prefix", "descr", ["description"], "description"],
    ["swapped letters", "tpye", ["type"], "type"],
    ["a missing vowel", "pth", ["path"], "path"],
    ["a missing consonant inside a word", "waer", ["water"], "water"],
    ["a doubled letter", "timmeout", ["timeout"], "timeout"],
    ["a doubled letter in a short word", "taag", ["tag", "name"], "tag"],
    ["a tripled letter", "lettter", ["letter"], "letter"],
    ["one vowel for another", "grey", ["gray", "green"], "gray"],
    [
      "a missing letter in one of several words",
      "red_file",
      ["read_file", "list_files"],
      "read_file",
    ],
    [
      "a missing letter in a short word of several",
      "st_replace",
      ["str_replace", "view"],
      "str_replace",
    ],
    ["a consonant that sounds alike", "celcius", ["celsius", "fahrenheit"], "celsius"],
    ["letters swapped across words", "dueaDte", ["dueDate", "name"], "dueDate"],
    ["a plural in -ies", "entries", ["entry"], "entry"],
    ["a plural in -es", "boxes", ["box", "key"], "box"],
    ["an extra filler word at the end", "title_text", ["title"], "title"],
    ["a filler word before two others", "the_start_date", ["start_date"], "start_date"],
    ["a joined filler word at the end", "pathname", ["path"], "path"],
    ["a prefix of half the length", "descr", ["descriptio"], "descriptio"],
    ["letters swapped at the beginning", "ytpe", ["type"], "type"],
    ["letters swapped at the end", "tyep", ["type"], "type"],
    ["another last vowel of a long word", "resourca", ["resource"], "resource"],
    ["a missing last vowel", "scop", ["scope"], "scope"],
    ["a missing first consonant but one", "lmit", ["limit"], "limit"],
    ["words that are split elsewhere", "fil_ename", ["file_name"], "file_name"],
    ["joined words with a typo", "fielname", ["file_name"], "file_name"],
    ["two dropped letters", "attchmnts", ["attachments"], "attachments"],
    ["a dropped and a swapped letter", "recpeint", ["recipient"], "recipient"],
    ["two typos in a long word", "recpient", ["recipient"], "recipient"],
    ["two typos in two words", "recieve_mesage", ["receive_message"], "receive_message"],
    ["fewer typos", "recieve_mesage", ["receive_message", "receive_mesage"], "receive_mesage"],
  ])("%s: %s", (_, sent, known, meant) => {
    expect(nearest(sent, known)).toBe(meant);
  });

  test.each([
    ["another word before it", "limit_price", ["price"]],
    ["its opposite", "soft_delete", ["delete", "archive"]],
    ["a direction", "left", ["right", "bottom_left"]],
    ["both of two", "read_write", ["read", "write"]],
    ["equally near to two", "url", ["html_url", "api_url"]],
    ["an id for a name", "owner", ["owner_id"]],
    ["an extra first letter", "async", ["sync"]],
    ["an extra first letter in a longer word", "preview", ["review"]],
    ["another last vowel", "quote", ["quota"]],
    ["a missing consonant in a short word", "sale", ["scale"]],
    ["a missing vowel in a short word", "red", ["read"]],
    ["the beginning of too many words", "ref", ["refresh"]],
    ["another country", "Sudan", ["South Sudan"]],
    ["another size", "t3.large", ["t3.xlarge"]],
    ["another version", "gpt-4-mini", ["gpt-4o-mini"]],
    ["a consonant that sounds alike in a short word", "rise", ["rice"]],
    ["a filler word before two letters", "my_id", ["id"]],
    ["most of a longer word", "descr", ["descrip"]],
    ["a protocol", "https", ["http"]],
    ["two letters for one", "as", ["a"]],
    ["letters swapped at the beginning of a short word", "abc", ["bac"]],
    ["letters swapped in a word of two", "xt", ["tx"]],
    ["a missing first letter", "essage", ["message"]],
    ["another first letter", "atype", ["type"]],
    ["a missing last consonant", "limi", ["limit"]],
    ["another vowel in a short word", "gat", ["get"]],
    ["two typos in a word that is not long", "tmieuot", ["timeout"]],
    ["two typos near the beginning", "dscrption", ["description"]],
    ["two dropped letters in a row", "descriptn", ["description"]],
    ["two words in another order", "a_b", ["b_a"]],
    ["nothing", "", ["a", ""]],
    ["itself", "name", ["name"]],
    ["another consonant", "market", ["marker"]],
    ["three typos in three words", "recieve_mesage_lettr", ["receive_message_letter"]],
    ["another number", "address_line_2", ["address_line_1"]],
    ["other letters", "min_price", ["max_price"]],
    ["only punctuation", "--", ["-", "a"]],
    ["a whole sentence", "x".repeat(65), ["x".repeat(64)]],
  ])("not %s: %s", (_, sent, known) => {
    expect(nearest(sent, known)).toBeUndefined();
  });
});

test("among values, an id is a filler word", () => {
  expect(nearest("owner", ["owner_id"], "values")).toBe("owner_id");
});

test.each([
  ["a word of it", "user", "user_id", true],
  ["another word before it", "created_after", "after", true],
  ["its words in another order", "id_user", "user_id_name", true],
  ["one word of two", "a_b", "b_c", false],
  ["another word", "x", "y", false],
  ["only punctuation", "--", "a", false],
  ["a whole sentence", "x".repeat(65), `${"x".repeat(65)}_y`, false],
])("mayMean %s: %s for %s is %j", (_, sent, known, may) => {
  expect(mayMean(sent, [known])).toBe(may);
});

test.each([
  ["msg", "message"],
  ["lng", "longitude"],
  ["message", "message"],
  ["constructor", "constructor"],
])("%s is %s", (word, long) => {
  expect(longForm(word)).toBe(long);
});
