import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/**
 * Selects in the browser what is selected in the editor if drawing its lines anew collapsed that. CodeMirror does so too, but
 * within 200 ms of a focus it takes a cursor at the start for one that the browser set there.
 */
export const keptSelection: Extension = EditorView.updateListener.of(({ view, state }) => {
  const { anchor, head, empty } = state.selection.main;
  const selection = view.contentDOM.ownerDocument.getSelection();
  if (empty || !view.hasFocus || selection?.isCollapsed !== true) return;
  const [from, to] = [view.domAtPos(anchor), view.domAtPos(head)];
  selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
});
