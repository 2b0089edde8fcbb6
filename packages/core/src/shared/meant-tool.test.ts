import { describe, expect, test } from "vitest";
import { toolsByCloseness, meantTool } from "./meant-tool.ts";

const OFFERED = ["ls", "grep", "send_message", "get_stock_price"];

describe("a name is read without what models write around it", () => {
  test.each([
    ["control tokens", "ls<|channel|>commentary"],
    ["control tokens and a constraint", "ls<|constrain|>json"],
    ["a namespace", "functions.ls"],
    ["another namespace", "default_api.ls"],
    ["a third one", "tools.ls"],
    ["a namespace inside of one", "workspace.functions.ls"],
    ["the recipient of a message", "assistant to=functions.ls"],
    ["both", "functions.ls<|channel|>commentary"],
    ["brackets", "ls()"],
    ["a call with its arguments", 'ls({"a": true})'],
    ["a colon", "ls:"],
    ["the number of a call", "functions.ls:0"],
    ["a dotted end", "ls..."],
    ["doubt", "ls????"],
    ["an explanation", "ls \n\nThe user wants to see the files"],
    ["quotes", 'ls"'],
  ])("%s: %j", (_, called) => {
    expect(meantTool(called, OFFERED)).toBe("ls");
  });

  test.each([
    ["another spelling", "sendMessage", "send_message"],
    ["another spelling in a namespace", "functions.sendMessage", "send_message"],
    ["a letter too many, before control tokens", "greps<|channel|>analysis", "grep"],
  ])("%s: %j", (_, called, meant) => {
    expect(meantTool(called, OFFERED)).toBe(meant);
  });

  test.each([
    ["an invented one", "search_web"],
    ["code instead of a name", "python"],
    ["a sibling that is not offered", "get_stock_price_by_isin"],
    ["nothing but control tokens", "<|channel|>commentary"],
    ["nothing", ""],
  ])("%s was not surely meant: %j", (_, called) => {
    expect(meantTool(called, OFFERED)).toBeUndefined();
  });

  test("a name with a dot that is offered is that one", () => {
    expect(meantTool("weather.get<|channel|>commentary", ["get", "weather.get"])).toBe(
      "weather.get",
    );
  });
});

test("a list is in the order of closeness, not of declaration", () => {
  const names = ["comment", "authenticate_twitter", "follow_user", "post_tweet", "retweet"];
  expect(toolsByCloseness("functions.post_a_tweet<|channel|>commentary", names)).toEqual([
    "post_tweet",
    "retweet",
    "authenticate_twitter",
    "comment",
    "follow_user",
  ]);
});

const MCP = [
  "send_mail",
  "exec",
  "mcp__tracker__close_ticket",
  "read_file",
  "mcp__a__list",
  "mcp__b__list",
];

test.each([
  ["default_api:send_mail", "send_mail"],
  ["default_api:read_file", "read_file"],
  ["tool_send_mail", "send_mail"],
  [" send_mail", "send_mail"],
  ['"send_mail"', "send_mail"],
  ["`send_mail`", "send_mail"],
  ["<function=send_mail>", "send_mail"],
  ["send_mail</tool_name>", "send_mail"],
  ["container.exec", "exec"],
  ["close_ticket", "mcp__tracker__close_ticket"],
  ["tracker.close_ticket", "mcp__tracker__close_ticket"],
  ["tracker__close_ticket", "mcp__tracker__close_ticket"],
  ["mcp__github__read_file", "read_file"],
  // Two tools fit, or none.
  ["list", undefined],
  ["mcp__c__list", undefined],
  ["mcp__jira__close_ticket", undefined],
  ["shell", undefined],
  ["mcp", undefined],
  ["__", undefined],
])("%j is surely meant to be %j", (called, meant) => {
  expect(meantTool(called, MCP)).toBe(meant);
});
