import { type MarkdownOptions } from "vitepress";
import { type CompiledType, type CompiledTypes } from "./compiled-types.ts";

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];
type Highlighter = ThisParameterType<NonNullable<Transformer["preprocess"]>>;
type Content = Parameters<NonNullable<Transformer["code"]>>[0]["children"];

/** Puts the compiled type behind each name of a program; the style sheet shows it below the pointer. */
export function typesInCode(types: () => CompiledTypes): Transformer {
  const highlighted = new Map<string, Content>();
  return {
    name: "toolcontract:types",
    preprocess(code, options) {
      const found = types().get(code) ?? [];
      options.decorations = found.map((type) => ({
        start: type.start,
        end: type.end,
        alwaysWrap: true,
        properties: { class: "typed" },
        transform: (element) => {
          // A new list: Shiki counts the old one after this.
          element.children = [...element.children, popupOf(type, this)];
        },
      }));
      return code;
    },
  };

  function popupOf({ type, says }: CompiledType, highlighter: Highlighter): Content[number] {
    let code = highlighted.get(type);
    if (!code) {
      highlighted.set(type, (code = highlight(type, highlighter)));
    }
    const said: Content = says === "" ? [] : [span("says", [{ type: "text", value: says }])];
    // VitePress does not copy what has this class.
    return span("popup vp-copy-ignore", [span("type", code), ...said]);
  }
}

function highlight(type: string, highlighter: Highlighter): Content {
  const { codeToHast, options } = highlighter;
  const root = codeToHast(type, { ...options, decorations: [], transformers: [] });
  const [pre] = root.children;
  const [code] = pre?.type === "element" ? pre.children : [];
  return code?.type === "element" ? code.children : [];
}

function span(name: string, children: Content): Content[number] {
  return { type: "element", tagName: "span", properties: { class: name }, children };
}
