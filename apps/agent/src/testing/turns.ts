import type { WireServer, WireTurn } from "@toolcontract/wire";

let made = 0;

/** A turn with calls, in order: the tool's name and its arguments. */
export function calls(...list: readonly (readonly [name: string, input: object])[]): WireTurn {
  return {
    calls: list.map(([name, input]) => ({
      id: `call_${(made += 1)}`,
      name,
      input: JSON.stringify(input),
    })),
  };
}

/** A turn with the final report. */
export function report(content: string): WireTurn {
  return calls(["agent__final_report", { format: "markdown", content }]);
}

/** A configuration with one target, the model `m` of the provider `pa`. */
export function oneTarget(model: WireServer, others: object = {}): object {
  return {
    providers: { pa: { type: "openai-compatible", base_url: model.openaiUrl } },
    targets: [{ provider: "pa", model: "m" }],
    ...others,
  };
}
