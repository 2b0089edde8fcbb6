import { runInThisContext } from "node:vm";
import * as core from "@toolcontract/core";
import { transform } from "esbuild";
import { type Example, examplesOf, pagePaths } from "../../../../docs/fences.ts";
import { replay } from "../playground/engine/index.ts";
import {
  DEFAULT_OPTIONS,
  encodeLink,
  fitOptions,
  type PlaygroundState,
} from "../playground/state/index.ts";

/** The fragments of links to the playground, by the text of the program that each shows. */
export type PlaygroundLinks = ReadonlyMap<string, string>;

/** A link for each program on the pages whose output is the message that the playground shows for the same calls. */
export async function linkPrograms(): Promise<PlaygroundLinks> {
  const links = new Map<string, string>();
  for (const example of pagePaths().flatMap(examplesOf)) {
    const state = stateOf(await contractsIn(example));
    if (state === undefined) continue;
    const { turns } = await replay(state);
    const link = await encodeLink(state);
    if (turns.at(-1)?.message === example.output && "fragment" in link)
      links.set(example.program, link.fragment);
  }
  return links;
}

/** What a program gave to a contract. */
interface RecordedContract {
  readonly options: core.ContractOptions;
  readonly handled: Parameters<core.Contract["handle"]>[];
}

/** In a function there are no imports and exports. */
const IMPORT = /^import (\{.*\}) from "@toolcontract\/core";$/m;
const MODULE = /^(?:import|export)\b/m;

/** Runs a program that prints something and needs nothing but core; returns the contracts that it creates. */
async function contractsIn({ program, output }: Example): Promise<readonly RecordedContract[]> {
  const { code } = await transform(program, { loader: "ts" });
  const body = code.replace(IMPORT, "const $1 = core;");
  if (output === undefined || body === code || MODULE.test(body)) return [];
  const contracts: RecordedContract[] = [];
  const run = runInThisContext(`(async (core, console) => {${body}})`) as (
    core: object,
    console: Pick<Console, "log" | "error">,
  ) => Promise<void>;
  const silent = (): undefined => undefined;
  await run({ ...core, createContract }, { log: silent, error: silent });
  return contracts;

  function createContract(options: core.ContractOptions = {}): core.Contract {
    const handled: RecordedContract["handled"] = [];
    contracts.push({ options, handled });
    const contract = core.createContract({ logger: false, ...options });
    return {
      ...contract,
      handle: ((call: core.ToolCall, context: core.HandleContext) => {
        handled.push([call, context]);
        return contract.handle(call, context);
      }) as core.Contract["handle"],
    };
  }
}

/** The state that replays a program's calls; undefined unless it has one contract and one tool. */
function stateOf(contracts: readonly RecordedContract[]): PlaygroundState | undefined {
  const [contract, ...others] = contracts;
  if (contract === undefined || others.length > 0) return undefined;
  const tools = contract.handled.map(([, { tool }]) => JSON.stringify(tool, null, 2));
  const calls = contract.handled.map(([{ arguments: args }]) =>
    typeof args === "string" ? args : JSON.stringify(args, null, 2),
  );
  const call = calls.pop();
  const [tool] = tools;
  if (call === undefined || tool === undefined || new Set(tools).size > 1) return undefined;
  const { format, ...options } = contract.options;
  return {
    tool: { language: "json", text: tool },
    sent: calls,
    call,
    options: fitOptions({ ...DEFAULT_OPTIONS, ...options, ...format } as typeof DEFAULT_OPTIONS),
  };
}
