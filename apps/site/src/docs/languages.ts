import { type MarkdownOptions } from "vitepress";

/** Languages of the pages that Shiki has no grammar of. */
export const languages: NonNullable<MarkdownOptions["languages"]> = [
  {
    name: "rego",
    scopeName: "source.rego",
    repository: {},
    patterns: [
      { name: "comment.line", match: "#.*$" },
      { name: "string.quoted", match: '"(?:\\\\.|[^"\\\\])*"|`[^`]*`' },
      {
        name: "keyword.control",
        match: "\\b(?:package|import|default|not|some|every|in|if|contains|else|as|with)\\b",
      },
      { name: "constant.language", match: "\\b(?:true|false|null)\\b|\\b\\d+(?:\\.\\d+)?\\b" },
      { name: "entity.name.function", match: "\\b[A-Za-z_][\\w.]*(?=\\()" },
    ],
  },
  {
    name: "ebnf",
    scopeName: "source.ebnf",
    repository: {},
    patterns: [
      { name: "comment.block", match: "\\(\\*.*?\\*\\)|/\\*.*?\\*/" },
      { name: "string.quoted", match: "\"[^\"]*\"|'[^']*'" },
      { name: "entity.name.function", match: "^\\s*[A-Za-z][\\w-]*(?=\\s*(?:=|::=))" },
      { name: "keyword.operator", match: "::=|[=|;,{}()\\[\\]*+?]" },
    ],
  },
];
