// The script of the frame in which the code of a tool runs: its sandbox gives it an origin that shares nothing with
// the page, and its policy lets it load nothing. It starts one worker, and reports once if the worker fails.

function start({ data, source, ports }: MessageEvent<unknown>): void {
  const [port] = ports;
  if (source !== parent || typeof data !== "string" || port === undefined) return;
  removeEventListener("message", start);
  const url = URL.createObjectURL(new Blob([data], { type: "text/javascript" }));
  // A module worker cannot start from a blob of an opaque origin; code of a tool is still a module, which it imports.
  const worker = new Worker(url);
  const end = (reason: string): void => {
    worker.terminate();
    parent.postMessage(reason, "*");
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end(event.message ?? "");
  });
  // It talks through the port alone.
  worker.addEventListener("message", () =>
    end("The code of this tool answered in place of the engine."),
  );
  worker.postMessage(undefined, [port]);
}

// Another site may put this page into a frame without a sandbox: code that it sends would run in the origin of the site.
if (origin === "null") addEventListener("message", start);
