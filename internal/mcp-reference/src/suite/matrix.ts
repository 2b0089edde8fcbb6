import type { Check } from "./check.ts";
import { checkClient, checkServer, type Revision } from "./run.ts";
import {
  bridged,
  everything,
  hooked,
  proxied,
  reference,
  relayed,
  type Start,
  STDIO_EVERYTHING,
  stdioReference,
} from "./servers.ts";

/** A route from the suite to its subject, other than the direct one. */
export type Route = "HTTP proxy" | "in process" | "stdio relay";

type Run = () => Promise<readonly Check[]>;

/** One subject at one revision: the direct run and one per route. */
export interface Row {
  readonly subject: string;
  readonly revision: Revision;
  readonly direct: Run;
  readonly through: Readonly<Partial<Record<Route, Run>>>;
}

const REVISIONS: readonly Revision[] = ["2025-11-25", "2026-07-28"];
const LINES = ["v1", "v2"] as const;

// The authorization scenarios check the server's origin, and a proxy has another one.
const EVERY_ERA = ["tools_call", "json-schema-2020-12-preservation"];
const WITH_SESSIONS = ["initialize", "elicitation-sep1034-client-defaults", "sse-retry"];
const WITHOUT_SESSIONS = [
  "request-metadata",
  "sep-2322-client-request-state",
  "http-standard-headers",
  "http-custom-headers",
  "http-invalid-tool-headers",
  "json-schema-ref-no-deref",
];

/** The scenarios for clients at a revision. */
function clientScenarios(revision: Revision): readonly string[] {
  return [...EVERY_ERA, ...(revision === "2025-11-25" ? WITH_SESSIONS : WITHOUT_SESSIONS)];
}

/** Runs the suite against a server. */
async function runServer(start: Start, revision: Revision): Promise<readonly Check[]> {
  const { url, close } = await start(revision);
  try {
    return await checkServer(url, revision);
  } finally {
    await close();
  }
}

/** Runs the scenarios against a reference client, a few at a time. */
export async function runClient(
  args: readonly string[],
  scenarios: readonly string[],
  revision: Revision,
): Promise<readonly Check[]> {
  const left = [...scenarios];
  const checks: Check[] = [];
  const work = async (): Promise<void> => {
    for (let scenario = left.shift(); scenario !== undefined; scenario = left.shift()) {
      checks.push(...(await checkClient(args, scenario, revision)));
    }
  };
  await Promise.all([work(), work()]);
  return checks;
}

function serverRow(
  subject: string,
  revision: Revision,
  direct: Start,
  through: Readonly<Partial<Record<Route, Start>>>,
): Row {
  const runs = Object.entries(through).map(
    ([route, start]) => [route, async () => runServer(start, revision)] as const,
  );
  return {
    subject,
    revision,
    direct: async () => runServer(direct, revision),
    through: Object.fromEntries(runs),
  };
}

function clientRow(line: "v1" | "v2", revision: Revision): Row {
  const scenarios = clientScenarios(revision);
  return {
    subject: `client ${line}`,
    revision,
    direct: async () => runClient([line], scenarios, revision),
    through: {
      "HTTP proxy": async () => runClient([line, "--through"], scenarios, revision),
    },
  };
}

function bridgeRow(subject: string, command: readonly string[], revision: Revision): Row {
  const through = { "stdio relay": bridged(relayed(command)) };
  return serverRow(`${subject} on stdio, bridged`, revision, bridged(command), through);
}

/** All subjects that are compared. */
export const MATRIX: readonly Row[] = [
  ...REVISIONS.flatMap((revision) => [
    ...LINES.map((line) =>
      serverRow(`server ${line}`, revision, reference(line), {
        "HTTP proxy": proxied(reference(line)),
        "in process": hooked(line),
      }),
    ),
    serverRow("server-everything", revision, everything, { "HTTP proxy": proxied(everything) }),
  ]),
  clientRow("v1", "2025-11-25"),
  ...REVISIONS.map((revision) => clientRow("v2", revision)),
  ...LINES.map((line) => bridgeRow(`server ${line}`, stdioReference(line), "2025-11-25")),
  bridgeRow("server-everything", STDIO_EVERYTHING, "2025-11-25"),
  bridgeRow("server v2", stdioReference("v2"), "2026-07-28"),
];
