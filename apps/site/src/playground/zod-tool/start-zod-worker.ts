import { zodModule } from "./zod-module.ts";

/**
 * Starts a worker that imports scripts, of which one provides zod, and then defines the tool. The page's policy
 * has no `unsafe-eval`, but it allows workers made from a blob.
 */
export function startZodWorker(code: string, scripts: readonly string[]): Worker {
  // In a blob, an address must be whole.
  const source = zodModule(
    code,
    scripts.map((script) => new URL(script, location.href).href),
  );
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  // The address must stay until the worker has read it: it has when it answers or fails.
  const release = (): void => URL.revokeObjectURL(url);
  worker.addEventListener("message", release, { once: true });
  worker.addEventListener("error", release, { once: true });
  return worker;
}
