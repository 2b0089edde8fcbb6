import { defineComponent, type VNodeChild } from "vue";
import type { PlaygroundModel } from "./use-playground.ts";

/** A component that shows the playground's model, or a part of it. */
export function componentOf(setup: (model: PlaygroundModel) => () => VNodeChild) {
  return defineComponent((props: { readonly model: PlaygroundModel }) => setup(props.model), {
    props: ["model"],
  });
}
