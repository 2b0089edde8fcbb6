import { type FunctionalComponent, type VNode, cloneVNode } from "vue";

/**
 * A control with its label. The label is beside it, not around it: a label around a list would hold the words of
 * all its options.
 */
export const Field: FunctionalComponent<{
  readonly id: string;
  readonly label: string;
  readonly control: VNode;
}> = ({ id, label, control }) => (
  <span class="pg-field">
    <label for={id}>{label}</label>
    {cloneVNode(control, { id })}
  </span>
);
Field.props = ["id", "label", "control"];
