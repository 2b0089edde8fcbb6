import { type AgentConfig, loadAgentConfig } from "./settings/index.ts";
import { REPORT_TOOL } from "@toolcontract/session/adapter";
import { type LogWarningsFunction, streamText } from "ai";
import type { RunArguments } from "./command-line.ts";
import { createExample, type Example } from "./example/index.ts";
import { createTargets, keysIn, readScript } from "./models/index.ts";
import {
  checkOf,
  createProgress,
  createStatus,
  createSummary,
  openAccounting,
  openTrace,
  type Output,
  type Result,
  sdkWarningLine,
  secretsOf,
  type Status,
} from "./output/index.ts";
import { promptSource, type PromptOptions } from "./prompt.ts";
import { type Servers, startServers, type StartParts } from "./servers/index.ts";
import { createSession } from "./session.ts";

/** What a run needs of the process around it. */
export interface Surroundings {
  readonly stdin: PromptOptions["stdin"];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string;
  /** The folder of the program, which may hold a configuration. */
  readonly program: string;
  /** Ends whatever is waited for. */
  readonly signal: AbortSignal;
}

/**
 * Runs the agent of a command line: prompt, configuration, targets, servers, the session, and then the output, which does
 * not wait until the servers have ended.
 *
 * @throws Whatever keeps the run from beginning; from then on there is a result.
 */
export async function runAgent(
  line: RunArguments,
  { stdin, env, program, signal, ...surroundings }: Surroundings,
  output: Output,
): Promise<Result> {
  const cwd = surroundings.cwd();
  const source = promptSource({ words: line.words, cwd, stdin });
  if (source.warning !== undefined) output.warn(source.warning);
  const config = loadAgentConfig({
    cwd,
    program,
    env,
    ...(line.config !== undefined && { path: line.config }),
    ...(source.file !== undefined && { promptFile: source.file }),
  });
  passOnWarnings(output);
  const { warn, secrets } = output;
  const accounting = openAccounting(line.accounting, { warn, hide: secrets.hide });
  const trace = openTrace(line.trace, { warn, hide: secrets.hide });
  const status = line.level === "quiet" ? SILENT : await createStatus(output.stderr);
  output.setUp({ isQuiet: line.level === "quiet", show: status.line });
  let example: Example | undefined;
  let servers: Servers | undefined;
  const shown = async (result: Result): Promise<Result> => {
    status.end();
    // A report that is lost is not a success.
    return (await output.result(result)) ? result : { ...result, success: false };
  };
  try {
    example = playsExample(line, config) ? createExample() : undefined;
    const mcpServers = example?.mcpServers ?? config.mcpServers;
    output.secrets.add([...secretsOf({ ...config, mcpServers }), ...keysIn(env)]);
    const answers = line.script === undefined ? example?.answers : readScript(line.script);
    const { provider, model } = line;
    const targets = await createTargets(config, { provider, model, answers, env });
    const prompt = line.isDryRun ? "" : await source.read(signal);
    servers = await startServers(
      { ...config, mcpServers },
      {
        cwd,
        env,
        signal,
        warn: output.warn,
        onState: showStarting(status),
      },
    );
    const progress = createProgress(output, status, line);
    const summary = createSummary();
    const session = await createSession(config, {
      targets,
      servers,
      output,
      onEvent(event) {
        progress.on(event);
        summary.on(event);
        trace.write(event);
        if (event.type === "entry") accounting.append(event.entry);
      },
      onRefused(call) {
        progress.refused(call);
        trace.write(call);
      },
    });
    if (line.isDryRun) {
      const check = checkOf(config, { targets, servers: servers.count, env });
      return await shown({ success: true, conversation: [], accounting: [], check });
    }

    const { value: _, ...result } = await session.run((options) =>
      streamText({
        ...options,
        prompt,
        abortSignal: signal,
        onChunk: ({ chunk }) => {
          if (chunk.type === "text-delta") progress.said(chunk.text);
        },
        onToolExecutionStart: ({ toolCall }) => {
          if (toolCall.toolName !== REPORT_TOOL) progress.began(toolCall);
        },
      }),
    );
    progress.end();
    accounting.close(result.accounting);
    trace.write({ type: "end", success: result.success });
    return await shown(summary.addTo(result, servers.lost()));
  } finally {
    trace.close();
    await servers?.close();
    example?.remove();
    status.end();
  }
}

/** Names the servers that are not ready yet, beside the seconds that count. */
function showStarting(status: Status): NonNullable<StartParts["onState"]> {
  const starting = new Set<string>();
  return (server, state) => {
    if (state === "starting") starting.add(server);
    else starting.delete(server);
    status.show(
      starting.size === 0 ? "the servers are ready" : `starting ${[...starting].join(", ")}`,
    );
  };
}

const SILENT: Status = {
  show: () => undefined,
  add: () => undefined,
  line: () => undefined,
  words: () => undefined,
  end: () => undefined,
};

/** The provider `scripted` without a script of the user's own. */
function playsExample({ provider, script }: RunArguments, { targets }: AgentConfig): boolean {
  if (provider !== "scripted" || script !== undefined) return false;
  return targets.every((target) => target.provider !== "scripted");
}

/** What the SDK would write to the console: settings that a model does not have. */
function passOnWarnings({ warn }: Output): void {
  const logWarnings: LogWarningsFunction = ({ warnings }) => {
    for (const warning of warnings) warn(sdkWarningLine(warning));
  };
  globalThis.AI_SDK_LOG_WARNINGS = logWarnings;
}
