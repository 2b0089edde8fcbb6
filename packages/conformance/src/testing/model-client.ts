/** A reply of the model, whatever the wire format. */
export interface Reply {
  readonly text: string;
  readonly calls: readonly LoopCall[];
  readonly isCut: boolean;
}

/** A call, and its arguments as a string. */
export interface LoopCall {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** What is said after a call. */
export interface LoopAnswer {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** A conversation with the model in one wire format. */
export interface ModelClient {
  /** Sends the conversation and returns what the model says; it may call a tool or not. */
  ask(mayCall: boolean): Promise<Reply>;
  /** Adds a message of the model and the answers to its calls. */
  add(text: string, calls: readonly LoopCall[], answers: readonly LoopAnswer[]): void;
  /** Adds a message of the model without calls, and what is said to it. */
  say(text: string, answer: string): void;
}

/** Sends JSON and returns JSON. */
export async function postJson(url: string, body: object): Promise<unknown> {
  const response = await post(url, body);
  return response.json();
}

/** Sends JSON and returns the events of the stream: those that arrived, if the connection breaks. */
export async function postForEvents(url: string, body: object): Promise<readonly unknown[]> {
  const { body: stream } = await post(url, body);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const part of stream ?? []) text += decoder.decode(part, { stream: true });
  } catch {
    // Whoever reads the calls finds that the last one is cut.
  }
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => JSON.parse(line.slice("data: ".length)) as unknown);
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}
