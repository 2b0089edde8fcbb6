import { Compartment, type Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

/** Mod-f: the search is loaded when it is wanted. */
export function search(): Extension {
  const loaded = new Compartment();
  return loaded.of(
    keymap.of([
      {
        key: "Mod-f",
        preventDefault: true,
        run: (view) => {
          void import("@codemirror/search").then(
            ({ openSearchPanel, search: panel, searchKeymap }) => {
              view.dispatch({
                effects: loaded.reconfigure([panel(), keymap.of([...searchKeymap])]),
              });
              openSearchPanel(view);
            },
          );
          return true;
        },
      },
    ]),
  );
}
