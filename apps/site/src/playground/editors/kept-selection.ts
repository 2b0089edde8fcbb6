import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/**
 * Restores the browser's selection when a redraw collapses it. CodeMirror does the same, except within 200 ms of a focus: then it
 * takes a cursor at the start for the browser's default.
 */
export const keptSelection: Extension = EditorView.updateListener.of(({ view, state }) => {
  const { anchor, head, empty } = state.selection.main;
  const selection = view.contentDOM.ownerDocument.getSelection();
  if (empty || !view.hasFocus || selection?.isCollapsed !== true) return;
  const [from, to] = [view.domAtPos(anchor), view.domAtPos(head)];
  selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
});
