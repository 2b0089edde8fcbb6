import * as v from "valibot";
import { lazyWorker, type StartedWorker } from "../requests/index.ts";
import type { LintedText } from "./lint-text.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import workerUrl from "./lint.worker.ts?worker&url";

/** Lints in a worker, which starts with the first text. */
interface LintClient {
  /** @throws A `DOMException` named "AbortError" if the worker was ended. */
  lint(text: string): Promise<LintedText>;
  /** Ends the worker. */
  stop(): void;
}

const finding = v.object({
  rule: v.string(),
  severity: v.picklist(["error", "warning", "info"]),
  tool: v.string(),
  path: v.string(),
  message: v.string(),
  fix: v.exactOptional(v.string()),
});
const tool = v.object({
  name: v.string(),
  grade: v.picklist(["A", "B", "C", "D", "F"]),
  share: v.number(),
  tokens: v.number(),
});
const readLinted: (reply: unknown) => LintedText = v.parser(
  v.union([
    v.object({ findings: v.array(finding), tools: v.array(tool) }),
    v.object({ fault: v.string() }),
  ]),
);

/** Creates a client. */
export function createLintClient(startWorker: () => StartedWorker = startLinting): LintClient {
  const worker = lazyWorker<string, LintedText>(startWorker, readLinted);
  return { lint: (text) => worker.ask(text), stop: () => worker.end() };
}

function startLinting(): StartedWorker {
  const worker = new Worker(workerUrl, { type: "module" });
  return { worker, end: () => worker.terminate() };
}
