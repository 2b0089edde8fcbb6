import { zodModule } from "./zod-module.ts";
// oxlint-disable-next-line import/default -- Vite exports the address of the bundled worker.
import zodUrl from "./zod.worker.ts?worker&url";

/**
 * Starts a worker that provides zod, imports `script` and then defines the tool. The page's policy has no
 * `unsafe-eval`, but it allows workers made from a blob.
 */
export function startZodWorker(code: string, script: string): Worker {
  // In a blob, an address must be whole.
  const scripts = [zodUrl, script].map((address) => new URL(address, location.href).href);
  const source = zodModule(code, scripts);
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  // The address must stay until the worker has read it: it has when it answers or fails.
  const release = (): void => URL.revokeObjectURL(url);
  worker.addEventListener("message", release, { once: true });
  worker.addEventListener("error", release, { once: true });
  return worker;
}
