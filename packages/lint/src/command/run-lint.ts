import { ToolContractError } from "@toolcontract/explain";
import { type LintOptions, findAll } from "../engine/index.ts";
import {
  countOf,
  findingsOf,
  jsonReport,
  type ReportedInput,
  terminalReport,
} from "../report/index.ts";
import { type LintArguments, readCommandLine, UsageError } from "./command-line.ts";
import { helpText, whyText } from "./help.ts";
import { type Input, readFile, UnreadableInput } from "./read-input.ts";

/** What the command may read, and where it writes. */
export interface LintContext {
  /** The folder that files are relative to. */
  readonly cwd: string;
  /** The environment, for servers that are started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line to stdout. */
  readonly print: (line: string) => void;
  /** Writes a line to stderr. */
  readonly warn: (line: string) => void;
  /** Whether stdout shows colors; no by default. */
  readonly isColored?: boolean;
  /** What the configuration files say; the command line overrides it. */
  readonly settings?: LintSettings;
}

/** What configuration files say below `lint`. */
export interface LintSettings extends Pick<
  LintOptions,
  "rules" | "maxToolTokens" | "maxListTokens" | "maxDepth"
> {
  /** More warnings than this are a failure. */
  readonly maxWarnings?: number;
}

/** The exit codes: 2 stands for wrong usage and for an input that cannot be read. */
const EXIT = { clean: 0, found: 1, unreadable: 2 } as const;

/** Runs `toolcontract lint` and returns its exit code; never throws. */
export async function runLint(args: readonly string[], context: LintContext): Promise<number> {
  try {
    const line = readCommandLine(args);
    if (line.asks === "help") context.print(helpText());
    else if (line.asks === "why") context.print(whyText(line.rule));
    else return await lint(line, context);
    return EXIT.clean;
  } catch (thrown) {
    const isOurs =
      thrown instanceof UsageError ||
      thrown instanceof UnreadableInput ||
      thrown instanceof ToolContractError;
    context.warn(
      `toolcontract lint: ${isOurs ? thrown.message : "failed; this is a bug of the linter."}`,
    );
    return EXIT.unreadable;
  }
}

async function lint(line: LintArguments, context: LintContext): Promise<number> {
  const { settings = {} } = context;
  const inputs = line.files.map((file) => readFile(file, context.cwd));
  const options: LintOptions = { ...settings, rules: { ...settings.rules, ...line.rules } };
  const reported = inputs.map((input) => reportOf(input, options, line.withProof));
  const text =
    line.format === "json"
      ? jsonReport(reported)
      : terminalReport(reported, context.isColored ?? false);
  context.print(text);
  const findings = findingsOf(reported);
  const most = line.maxWarnings ?? settings.maxWarnings ?? Infinity;
  const isFailed = countOf(findings, "error") > 0 || countOf(findings, "warning") > most;
  return isFailed ? EXIT.found : EXIT.clean;
}

function reportOf(
  { title, file, text, tools }: Input,
  options: LintOptions,
  withProof: boolean,
): ReportedInput {
  const found = findAll(tools, options).map(({ tool, grade, findings, proofs }) => ({
    tool,
    grade,
    proofs: withProof ? proofs() : [],
    findings: findings.map(({ finding }) => finding),
  }));
  return { title, file, text, tools: found };
}
