import { defineComponent } from "vue";

/** Buttons of which one is chosen. */
export const Choices = defineComponent(
  (props: {
    readonly label: string;
    readonly names: readonly string[];
    readonly chosen: number;
    readonly onChoose: (index: number) => void;
  }) => {
    return () => (
      <div role="group" aria-label={props.label}>
        {props.names.map((name, index) => (
          <button
            key={name}
            type="button"
            aria-pressed={props.chosen === index}
            onClick={() => props.onChoose(index)}
          >
            {name}
          </button>
        ))}
      </div>
    );
  },
  { props: ["label", "names", "chosen", "onChoose"] },
);
