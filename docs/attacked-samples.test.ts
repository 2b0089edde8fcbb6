import type { CallContext, Contract, ToolCall } from "@toolcontract/core";
import { expect, test, vi } from "vitest";
import { writePrograms } from "./fences.ts";
import { pagePrograms } from "./programs.ts";
import { runProgram } from "./run-program.ts";

type Args = Readonly<Record<string, unknown>>;
type Handle = (call: ToolCall, context: object) => Promise<{ readonly status: string }>;

/** A call that a sample makes, and how to make another one like it. */
interface Made {
  readonly args: Args;
  readonly again: (args: Args) => Promise<{ readonly status: string; readonly output?: unknown }>;
}

const made: Made[] = [];

type HandleTurn = (
  calls: readonly ToolCall[],
  context: object,
) => Promise<readonly { readonly status: string }[]>;

/** Notes the calls of a sample's contract. */
function watched(contract: Contract): Contract {
  const handle = contract.handle.bind(contract) as unknown as Handle;
  const handleTurn = contract.handleTurn.bind(contract) as unknown as HandleTurn;
  const note = (call: ToolCall, context: CallContext, answer: Handle): void => {
    const again: Made["again"] = async (args) => {
      const id = `attack_${made.length}_${JSON.stringify(args)}`;
      const place = { ...context, conversationId: id, turnId: id };
      return answer({ ...call, id, arguments: args }, place);
    };
    // An own loop passes the text of its API.
    const { arguments: sent } = call;
    const args: unknown = typeof sent === "string" ? JSON.parse(sent) : sent;
    if (isArgs(args)) made.push({ args, again });
  };
  const inTurn: Handle = async (call, context) => {
    const [answer] = await handleTurn([call], context);
    return answer ?? { status: "none" };
  };
  return {
    ...contract,
    handle: (async (call: ToolCall, context: CallContext) => {
      note(call, context, handle);
      return handle(call, context);
    }) as unknown as Contract["handle"],
    handleTurn: (async (calls: readonly ToolCall[], context: CallContext) => {
      for (const call of calls) note(call, context, inTurn);
      return handleTurn(calls, context);
    }) as unknown as Contract["handleTurn"],
  };
}

function isArgs(value: unknown): value is Args {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const CREATE = /import \{([^}]*)\bcreateContract\b([^}]*)\} from "@toolcontract\/core";/;
const NUMBER = /type: "(?:integer|number)"|z\.number\(\)/;

/** The programs that make guardrails and calls with amounts, whose contract is watched. */
const samples = pagePrograms()
  .filter(({ program }) => CREATE.test(program) && NUMBER.test(program))
  .filter(({ program }) => program.includes("createGuardrails("))
  .map((one) => ({
    ...one,
    program: one.program.replace(
      CREATE,
      'import {$1createContract as created$2} from "@toolcontract/core";\nconst createContract = (options) => globalThis.watchedContract(created(options));',
    ),
  }));
const files = writePrograms("attacked", samples);

const WRONG = [-1000, -1, Number.NaN, Number.POSITIVE_INFINITY, null, "constructor", {}, [1]];
const NAMES = ["constructor", "__proto__", "toString", "hasOwnProperty"];

/** The arguments, each time with an invalid amount, or with a name that every object has. */
function attacksOn(args: Args): readonly Args[] {
  return Object.entries(args).flatMap(([name, value]) => {
    if (typeof value === "string") return NAMES.map((other) => ({ ...args, [name]: other }));
    if (typeof value !== "number") return [];
    const { [name]: _, ...without } = args;
    return [without, ...WRONG.map((other) => ({ ...args, [name]: other }))];
  });
}

test("no sample that limits amounts runs with an invalid one", async () => {
  (globalThis as { watchedContract?: typeof watched }).watchedContract = watched;
  const ran: unknown[] = [];
  let attacks = 0;
  for (const [index, file] of files.entries()) {
    made.length = 0;
    await runProgram(file);
    // The log of what is refused.
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const amounts = made.filter(({ args }) => Object.values(args).some(Number.isFinite));
    // Otherwise nothing would be attacked.
    expect([samples[index]?.name, amounts.length > 0]).toEqual([samples[index]?.name, true]);
    for (const { args, again } of amounts) {
      for (const attack of attacksOn(args)) {
        attacks += 1;
        const { status } = await again(attack);
        if (status === "executed") ran.push([samples[index]?.name, attack]);
      }
    }
    error.mockRestore();
  }
  expect(ran).toEqual([]);
  expect(attacks).toBeGreaterThan(50);
});
