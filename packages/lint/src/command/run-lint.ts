import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { ToolContractError } from "@toolcontract/explain";
import { oneLine } from "@toolcontract/explain/adapter";
import { adviceFor, lostCalls, readLog } from "../calls/index.ts";
import { type FoundTool, type LintOptions, findAll } from "../engine/index.ts";
import { firstOfEachKind } from "../grade/index.ts";
import { fixText } from "../fix/index.ts";
import { type ReadTool, readTools } from "../input/index.ts";
import { rulePage } from "../pages/index.ts";
import {
  badge,
  countOfSeverity,
  allFindings,
  githubReport,
  jsonReport,
  lostJson,
  lostMarkdown,
  lostTerminal,
  markdownReport,
  type ReportedInput,
  sarifReport,
  terminalReport,
} from "../report/index.ts";
import { type LintArguments, readCommandLine, UsageError } from "./command-line.ts";
import { helpText } from "./help.ts";
import { type Input, parsedFile, readInputs } from "./read-inputs.ts";

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
  /**
   * Whether stdout shows colors.
   *
   * @default false
   */
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

const MAX_WARNING = 1_000;

/** Runs `toolcontract lint` and returns its exit code; never throws. */
export async function runLint(args: readonly string[], given: LintContext): Promise<number> {
  // Names in it are those of files, servers and tools.
  const warn = (line: string): void =>
    given.warn(oneLine(`toolcontract lint: ${line}`, MAX_WARNING));
  const context = { ...given, warn };
  try {
    const line = readCommandLine(args);
    if (line.asks === "help") context.print(helpText());
    else if (line.asks === "why") context.print(rulePage(line.rule).trimEnd());
    else return await lint(line, context);
    return EXIT.clean;
  } catch (thrown) {
    const isOurs = thrown instanceof UsageError || thrown instanceof ToolContractError;
    const { code } = Object(thrown) as { readonly code?: unknown };
    const reason = isOurs
      ? thrown.message
      : `failed (${typeof code === "string" ? code : "a bug of the linter"}).`;
    warn(reason);
    return EXIT.unreadable;
  }
}

async function lint(line: LintArguments, context: LintContext): Promise<number> {
  const { settings = {}, cwd, print, warn } = context;
  const options: LintOptions = {
    ...settings,
    rules: { ...settings.rules, ...line.rules },
    ...(line.for && { for: line.for }),
    // Nobody is shown the grades, which take most of the time.
    ...(line.log !== undefined && { grade: false }),
  };
  const { read, unread } = await readInputs(line, context);
  if (line.isAsking)
    for (const { title } of read.filter(({ asked }) => asked === undefined))
      warn(`${title} is not a server, so --ask sends it nothing.`);
  const inputs = line.isFixed ? read.map((input) => fixed(input, options, context)) : read;
  const reported = inputs.map((input) => reportInput(input, options, line.withProof));
  for (const { message } of unread) warn(message);
  if (line.log !== undefined) {
    print(writeCalls(logText(resolve(cwd, line.log)), reported, line, context));
    return unread.length > 0 ? EXIT.unreadable : EXIT.clean;
  }
  if (reported.length > 0) print(writeReport(reported, line, context));
  if (line.badge !== undefined) writeFileSync(resolve(cwd, line.badge), badge(reported));
  if (unread.length > 0) return EXIT.unreadable;
  const findings = allFindings(reported);
  const most = line.maxWarnings ?? settings.maxWarnings ?? Infinity;
  const isFailed =
    countOfSeverity(findings, "error") > 0 || countOfSeverity(findings, "warning") > most;
  return isFailed ? EXIT.found : EXIT.clean;
}

function writeReport(
  reported: readonly ReportedInput[],
  { format }: LintArguments,
  { isColored = false }: LintContext,
): string {
  switch (format) {
    case "terminal":
      return terminalReport(reported, isColored);
    case "json":
      return jsonReport(reported);
    case "sarif":
      return sarifReport(reported);
    case "markdown":
      return markdownReport(reported);
    case "github":
      return githubReport(reported);
  }
}

/** What a log says of the tools; a model may have called others, too. */
function writeCalls(
  log: string,
  reported: readonly ReportedInput[],
  { format }: LintArguments,
  { isColored = false }: LintContext,
): string {
  const tools = reported.flatMap((input) => input.tools);
  const names = new Set(tools.map(({ tool }) => tool.name));
  const rows = lostCalls(readLog(log))
    .filter(({ tool }) => names.has(tool) || tool === UNKNOWN)
    .map((row) => ({ ...row, advice: adviceFor(row, tools) }));
  if (format === "json") return lostJson(rows);
  return format === "markdown" ? lostMarkdown(rows) : lostTerminal(rows, isColored);
}

function logText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    const { code } = thrown as { readonly code?: string };
    throw new UsageError(`--calls: ${file} cannot be read (${code ?? "unknown"}).`);
  }
}

/** What a contract logs in place of a name that is not declared. */
const UNKNOWN = "(unknown)";

function reportInput(
  { title, file, text, tools, asked }: Input,
  options: LintOptions,
  withProof: boolean,
): ReportedInput {
  const found = findAll(tools, options).map(({ proofs, findings, ...one }, index) => ({
    ...one,
    pointer: tools[index]?.pointer ?? "",
    calls: asked?.[index]?.calls ?? (withProof ? firstOfEachKind(proofs()) : []),
    isSpared: asked?.[index]?.isSpared === true,
    findings: findings.map(({ finding }) => finding),
  }));
  return { title, file, text, tools: found };
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Corrects a JSON file where that does no harm, and reads it again. */
function fixed(input: Input, options: LintOptions, { cwd, warn }: LintContext): Input {
  const { file, text, title } = input;
  if (file === undefined || text === undefined) {
    warn(`${title} is not a JSON file, so --fix leaves it alone.`);
    return input;
  }
  const found = findAll(input.tools, { ...options, grade: false });
  const next = fixText(
    text,
    found.map((one, index) => editsOf(one, input.tools[index])),
  );
  if (next === undefined) return input;
  const path = resolve(cwd, file);
  const before = readFileSync(path);
  const mark = before.toString("utf8").startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  if (!before.equals(Buffer.from(mark + text))) {
    warn(`${title} is not UTF-8, so --fix leaves it alone.`);
    return input;
  }
  writeFileSync(path, mark + next);
  return { ...input, text: next, tools: readTools(parsedFile(next)?.value, input.name) };
}

function editsOf({ findings, tool }: FoundTool, read: ReadTool | undefined) {
  // The types of Gemini are written otherwise.
  const isOwn = tool.form !== "gemini";
  return {
    pointer: read?.pointer ?? "",
    edits: isOwn ? findings.flatMap(({ edit }) => edit ?? []) : [],
  };
}
