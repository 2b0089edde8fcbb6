/** Who takes tools: the APIs of providers, and clients on the official SDKs of MCP. */
export type Provider = "openai" | "anthropic" | "gemini" | "bedrock" | "mcp";

/** A JSON Schema inside another one, with what decides whether a provider takes it. */
export interface SchemaAt {
  readonly node: Readonly<Record<string, unknown>>;
  /** JSON Pointer from the root. */
  readonly pointer: string;
  /** The keyword that holds it, such as `items`; undefined at the root. */
  readonly keyword: string | undefined;
  /** Whether a reference leads to a schema of the document. */
  readonly resolves: (reference: string) => boolean;
}

/** What was changed in a schema, and where it was. */
export interface Change {
  /** JSON Pointer into the original. */
  readonly path: string;
  /** What was done there. */
  readonly what: string;
}

/** What one row of the table found in a place. */
export interface Fault {
  /** The keyword with the fault; undefined for the schema as a whole. */
  readonly keyword?: string | undefined;
  /** What is wrong, as a sentence goes on after "refuse the request:". */
  readonly what: string;
  /** What to write instead, if that is more definite than the advice of the row. */
  readonly write?: string;
  /** Which of the row refuse it, if not all. */
  readonly who?: readonly Provider[];
}

/** A shape that providers or clients refuse, and with it every request or list that has the tool. */
export interface Refusal<Place> {
  /** The shape in words, for the page of the rule. */
  readonly shape: string;
  readonly who: readonly Provider[];
  readonly finds: (place: Place) => Iterable<Fault>;
  /** What to write instead. */
  readonly write: string;
  /** How it is known: the SDK was run, the provider documents it, or it was reported. */
  readonly known: "run" | "documented" | "reported";
  readonly source: string;
  /** Only of interest if the provider is asked for by name, because clients take it out. */
  readonly isOnlyAsked?: boolean;
}
