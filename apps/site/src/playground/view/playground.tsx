import { createContract } from "@toolcontract/core";
import { defineComponent, ref } from "vue";

export const Playground = defineComponent(() => {
  const count = ref(0);
  const contract = createContract({ interpreter: true });
  return () => (
    <div>
      <button type="button" onClick={() => (count.value += 1)}>
        Send again
      </button>
      <pre role="status">
        {JSON.stringify(
          contract.check({ name: "x", inputSchema: { type: "object", required: ["a"] } }, "{}"),
        )}{" "}
        {count.value}
      </pre>
    </div>
  );
});
