/** Pastes over the whole text, as it is run in a page; returns false if not everything is selected. */
export function pasteOverAll(editor: Node, text: string): boolean {
  if (editor.textContent !== "" && getSelection()?.isCollapsed !== false) return false;
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  editor.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
  );
  return true;
}
