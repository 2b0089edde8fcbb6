// `pnpm bench:live --base-url URL --model NAME… [options]`: whether models correct their calls, by whose answer they read.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runLive } from "./run-live.ts";

const { values } = parseArgs({
  options: {
    "base-url": { type: "string" },
    model: { type: "string", multiple: true, default: [] },
    "key-env": { type: "string", default: "OPENAI_API_KEY" },
    data: {
      type: "string",
      default: resolve(import.meta.dirname, "../../../../shared/data/real-calls"),
    },
    calls: { type: "string", default: "60" },
    runs: { type: "string", default: "1" },
    "max-cost": { type: "string" },
    price: { type: "string" },
    out: {
      type: "string",
      default: resolve(import.meta.dirname, "../../../.artifacts/live/real-models.md"),
    },
  },
});
const { "base-url": baseUrl, model: models, "key-env": keyEnv } = values;
if (baseUrl === undefined || models.length === 0) {
  console.error(
    "Usage: pnpm bench:live --base-url URL --model NAME [--model NAME] [--key-env NAME] [--data PATH] [--calls N] [--runs N] [--max-cost DOLLARS] [--price INPUT,OUTPUT] [--out FILE]",
  );
  process.exit(2);
}
const maxCost = values["max-cost"];
const { tables, page } = await runLive({
  baseUrl,
  models,
  // Servers on one's own machine want no key, but the client does.
  apiKey: process.env[keyEnv] ?? "none",
  data: values.data,
  calls: numberOf("calls", values.calls),
  runs: numberOf("runs", values.runs),
  maxCost: maxCost === undefined ? undefined : numberOf("max-cost", maxCost),
  price: values.price === undefined ? undefined : pricesOf(values.price),
});
console.log(tables);
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, page);
console.log(`\nA page of it is in ${values.out}`);

function pricesOf(text: string): readonly [number, number] {
  const [input = "", output = ""] = text.split(",");
  return [numberOf("price", input), numberOf("price", output)];
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  console.error(`--${option}: '${text}' is not a number.`);
  process.exit(2);
}
