import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours are VitePress' own variables, so that one theme serves light and dark. */
const theme = EditorView.theme({
  "&": {
    color: "var(--vp-c-text-1)",
    backgroundColor: "var(--vp-c-bg)",
    border: "1px solid var(--vp-c-text-2)",
    borderRadius: "6px",
    fontSize: "13px",
  },
  "&.cm-focused": { outline: "2px solid var(--vp-c-brand-1)", outlineOffset: "1px" },
  ".cm-scroller": {
    fontFamily: "var(--vp-font-family-mono)",
    lineHeight: "1.5",
    minHeight: "9em",
    maxHeight: "26em",
    overflow: "auto",
  },
  ".cm-content": { caretColor: "var(--vp-c-text-1)", padding: "8px 0" },
  ".cm-line": { padding: "0 10px" },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--vp-c-brand-1)",
  },
  "&.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    outline: "1px solid var(--vp-c-danger-1)",
  },
  ".cm-specialChar": { color: "var(--vp-c-danger-1)" },

  // The images of the lint package are `data:` URIs, which the policy of the site refuses.
  ".cm-lintRange": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--vp-c-danger-1)",
    textDecorationSkipInk: "none",
  },
  ".cm-fault": {
    textDecoration: "underline wavy var(--vp-c-warning-1)",
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-active": { backgroundColor: "var(--vp-c-danger-soft)" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--vp-c-danger-1)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--vp-c-danger-1)" },

  ".cm-tooltip": {
    color: "var(--vp-c-text-1)",
    backgroundColor: "var(--vp-c-bg-elv)",
    border: "1px solid var(--vp-c-text-2)",
    borderRadius: "6px",
    maxWidth: "min(32em, 94vw)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--vp-font-family-mono)",
    maxWidth: "min(32em, 94vw)",
    minWidth: "12em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--vp-c-bg)",
    backgroundColor: "var(--vp-c-brand-1)",
  },
  ".cm-tooltip.cm-completionInfo": { padding: "4px 8px", maxWidth: "min(24em, 94vw)" },
  ".cm-completionDetail": { fontStyle: "normal", marginLeft: "1em" },
  ".cm-completionMatchedText": { textDecoration: "underline" },

  // Otherwise they stick to the edge of the window, over the text.
  ".cm-panels": {
    position: "static",
    color: "var(--vp-c-text-1)",
    backgroundColor: "var(--vp-c-bg-alt)",
  },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--vp-c-divider)" },
  ".cm-note": {
    margin: "0",
    padding: "3px 10px 4px",
    minHeight: "1.5em",
    color: "var(--vp-c-text-2)",
    fontSize: "12px",
    lineHeight: "1.5",
    overflowWrap: "anywhere",
  },
  ".cm-note-fault": { color: "var(--vp-c-danger-1)" },
  ".cm-textfield": {
    color: "inherit",
    backgroundColor: "var(--vp-c-bg)",
    border: "1px solid var(--vp-c-text-2)",
  },
  ".cm-button": {
    color: "inherit",
    background: "var(--vp-c-bg)",
    border: "1px solid var(--vp-c-text-2)",
    borderRadius: "4px",
  },
  ".cm-panel.cm-search [name=close]": { color: "inherit" },
  ".cm-searchMatch": { backgroundColor: "var(--vp-c-yellow-soft)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--vp-c-yellow-1)" },
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--vp-c-brand-1)" },
  { tag: [tags.string, tags.regexp], color: "var(--vp-c-green-1)" },
  {
    tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.operatorKeyword],
    color: "var(--vp-c-purple-1)",
  },
  { tag: [tags.variableName, tags.function(tags.propertyName)], color: "var(--vp-c-text-1)" },
  { tag: tags.comment, color: "var(--vp-c-text-2)" },
  { tag: tags.invalid, color: "var(--vp-c-danger-1)" },
]);

/** How the editors look. */
export const appearance: Extension = [theme, syntaxHighlighting(colors)];
