import type { StartedWorker } from "../requests/index.ts";
import frameUrl from "./frame.ts?url";

/**
 * Starts a worker of ours, with a port to another that runs the code of a tool in a sandboxed frame. Ours asks and
 * checks; what the code floods or forges reaches neither the page nor its thread.
 *
 * @param scriptUrl - The address of the script that runs in the frame.
 */
export function startSandboxed(worker: Worker, scriptUrl: string): StartedWorker {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const frame = document.createElement("iframe");
  let script: string | undefined;
  let hasLoaded = false;

  function fail(message: string): void {
    worker.dispatchEvent(new ErrorEvent("error", { message, cancelable: true }));
  }

  function begin(): void {
    if (script === undefined || !hasLoaded) return;
    // Its origin is opaque, so it has no name.
    frame.contentWindow?.postMessage(script, "*", [theirs]);
  }

  function listen({ source, data }: MessageEvent<unknown>): void {
    if (source === frame.contentWindow) fail(typeof data === "string" ? data : "");
  }

  frame.setAttribute("sandbox", "allow-scripts");
  frame.hidden = true;
  frame.title = "The code of the tool";
  frame.src = frameUrl;
  frame.addEventListener(
    "load",
    () => {
      hasLoaded = true;
      begin();
    },
    { once: true },
  );
  addEventListener("message", listen);
  document.body.append(frame);
  textOf(scriptUrl).then(
    (text) => {
      script = text;
      begin();
    },
    (thrown: unknown) => fail(`The sandbox could not be loaded: ${String(thrown)}`),
  );
  worker.postMessage(undefined, [ours]);
  return {
    worker,
    end: () => {
      removeEventListener("message", listen);
      frame.remove();
      worker.terminate();
    },
  };
}

const texts = new Map<string, Promise<string>>();

/** Loads a script once; one that fails is loaded again. */
async function textOf(url: string): Promise<string> {
  const text =
    texts.get(url) ??
    fetch(url).then(async (response) => {
      if (!response.ok) throw new Error(`status ${response.status}`);
      return response.text();
    });
  texts.set(url, text);
  text.catch(() => texts.delete(url));
  return text;
}
