import { RESULT_LINES } from "../call-rows.ts";
import type { CallRecord, Played, Scene, TurnRecord } from "../scenario.ts";
import type { Shop } from "../shop/shop.ts";
import { firstLines } from "../text-layout.ts";
import type { RecordedLine, RecordedScene } from "./recorded-scene.ts";

const RESULT_WIDTH = 200;

/** Records both sides of a scene; no ids, times or paths, so that it is the same each time. */
export function recordScene({ scenario, scene }: Played): RecordedScene {
  if (scene === undefined)
    throw new Error(`The scene '${scenario.name}' was not played to its end.`);
  const { name, title, story } = scenario;
  const today = scene.turns.map(({ calls }) => calls.flatMap(todayLines));
  const contract = scene.turns.map(contractLines);
  // A run that ended early ends beside the first turn that it does not have.
  const last = scene.turns.length - 1;
  const missing = today.findIndex((lines) => lines.length === 0);
  const end = missing === -1 ? last : missing;
  return {
    name,
    title,
    story,
    about: scene.shops ? "guardrails" : "session",
    turns: scene.turns.map((_, turn) => ({
      today: [...(today[turn] ?? []), ...(turn === end ? endLines(scene, "plain") : [])],
      contract: [...(contract[turn] ?? []), ...(turn === last ? endLines(scene, "guarded") : [])],
    })),
  };
}

function todayLines({ call, without: [answer] }: CallRecord): readonly RecordedLine[] {
  return answer ? [sent(call), read("ran", answer.text, answer.tokens)] : [];
}

function contractLines({ request, calls, message: { says } }: TurnRecord): readonly RecordedLine[] {
  return [
    ...(request === undefined ? [] : [{ kind: "request" as const, text: request }]),
    ...calls.flatMap(callLines),
    ...(says === undefined ? [] : [{ kind: "says" as const, text: says }]),
  ];
}

function callLines({ call, handled, isLimited, state, tokens }: CallRecord): RecordedLine[] {
  const { content } = handled.result;
  const answeredBy = handled.status !== "executed" ? "contract" : isLimited ? "session" : "ran";
  const lines = [sent(call), read(answeredBy, content, tokens)];
  if (state !== undefined) lines.push({ kind: "state", text: state });
  if (handled.status !== "blocked") return lines;
  const { summary, outcome } = handled.escalation;
  lines.push({ kind: "person", text: summary });
  if (outcome) lines.push({ kind: "outcome", text: JSON.stringify(outcome, undefined, 2) });
  return lines;
}

function endLines({ shops, results }: Scene, side: "plain" | "guarded"): readonly RecordedLine[] {
  const result = results?.[side];
  return [
    ...(shops ? shopLines(shops[side]) : []),
    ...(result === undefined ? [] : [{ kind: "result" as const, text: result }]),
  ];
}

function shopLines(shop: Shop): readonly RecordedLine[] {
  return [
    { kind: "left", text: shop.read() },
    { kind: "outside", text: shop.outside.join(", ") || "nothing" },
  ];
}

function sent({ name, arguments: args }: CallRecord["call"]): RecordedLine {
  return { kind: "sends", text: `${name} ${String(args)}` };
}

/** What the contract writes is whole; the result of a tool may be any length. */
function read(kind: RecordedLine["kind"], text: string, tokens: number): RecordedLine {
  const shown = kind === "contract" ? text : firstLines(text, RESULT_LINES, RESULT_WIDTH);
  return { kind, text: shown, ...(tokens > 0 && { tokens }) };
}
