import { randomBytes, randomUUID } from "node:crypto";
import { type AskRequest, type ToolDefinition, ToolContractError } from "@toolcontract/core";
import { type OptionTable, checkMembers, isRecord, isString } from "@toolcontract/core/adapter";
import { canonical, canonicalForm } from "./canonical.ts";
import { type Seals, createSeals, digestOf } from "./seal.ts";
import {
  type GrantStore,
  type UseGrant,
  type UsedGrant,
  isGrantStore,
  useGrantsIn,
} from "./used-grants.ts";

/**
 * How grants are signed, and where those that were used are kept.
 *
 * @example
 * ```ts
 * const grants: GrantOptions = { secret: process.env["GRANT_SECRET"] ?? "" };
 * ```
 * @see docs/asking-a-person.md
 */
export interface GrantOptions {
  /**
   * Signs requests and grants; the same in all processes that share them, such as 32 random bytes.
   *
   * @default random: grants are worth nothing after a restart
   */
  readonly secret?: string | Uint8Array;
  /**
   * Where grants that were used are kept.
   *
   * @default the `ledger`
   */
  readonly store?: GrantStore;
}

/** What the options of grants are. */
export const GRANT_ROWS: OptionTable<keyof GrantOptions> = {
  secret: {
    wants: "a string or bytes, such as 32 random ones",
    fits: (value) => (typeof value === "string" || value instanceof Uint8Array) && value.length > 0,
  },
  store: {
    wants: "a ledger or a store of attempts, such as sqliteLedger(database)",
    fits: isGrantStore,
  },
};

/** Who agreed, and for how long. */
export interface GrantedBy {
  /** Who agreed, such as `operator-3`: it is in the grant, and in nothing that a model reads. */
  readonly by: string;
  /** Milliseconds until the grant is worth nothing. */
  readonly expiresIn: number;
}

const GRANTED_ROWS: OptionTable<keyof GrantedBy> = {
  by: { ...isString, wants: 'the name of who agreed, such as "operator-3"', isRequired: true },
  expiresIn: {
    wants: "a number of milliseconds above 0",
    fits: (value) => Number.isFinite(value) && Number(value) > 0,
    isRequired: true,
  },
};

/** What a person was told a tool is. */
type ToolFacts = Pick<ToolDefinition, "description" | "inputSchema">;

/** A call that guardrails ask a person about. */
export interface AskingCall {
  readonly tool: string;
  readonly args: unknown;
  readonly callId: string;
  readonly conversationId: string | undefined;
  /** Who it is for, as {@link userName} reads it. */
  readonly user: string | undefined;
  /** The tool as the host defines it: a person has agreed to no other tool of that name. */
  readonly definition: ToolFacts | undefined;
  /** False if unrelated users share the conversation's id: the call then belongs to its run. */
  readonly knowsConversation?: boolean | undefined;
  readonly runId?: string | undefined;
  /** The grants that the host passed with the call. */
  readonly tokens: readonly unknown[];
}

/** What a guardrail asks, and why. */
export interface AskOfGuardrail {
  readonly guardrail: string;
  readonly why: string;
}

/** A grant that is good for a call. */
interface GoodGrant {
  readonly id: string;
  readonly asks: readonly string[];
}

/** Makes and checks grants. */
export interface Grants {
  /** What a person is asked about a call; throws a TypeError if its arguments cannot be compared. */
  request(call: AskingCall, asks: readonly AskOfGuardrail[]): AskRequest;
  /** Grants what was asked; throws a ToolContractError if the request is not what was asked. */
  grant(request: AskRequest, by: GrantedBy): string;
  /** The grants that together answer all that is asked; undefined if something is left. */
  answering(call: AskingCall, asks: readonly AskOfGuardrail[]): readonly GoodGrant[] | undefined;
  /** Uses grants up; undefined if one of them had been used before. */
  use(grants: readonly GoodGrant[]): Promise<UsedGrant | undefined>;
}

/** What a grant consists of. */
interface Token {
  readonly id: string;
  readonly digest: string;
  readonly asks: readonly string[];
  readonly by: string;
  readonly until: number;
}

const MAX_TOKEN = 8_192;
const MAX_TOKENS = 100;

/** Creates what makes and checks grants. */
export function createGrants(
  { secret = randomBytes(32), store }: GrantOptions,
  fallback: GrantStore,
  clock: () => number,
): Grants {
  const seals = createSeals(secret);
  const use: UseGrant = useGrantsIn(store ?? fallback);

  return {
    request(call, asks) {
      const { tool, callId, conversationId, user } = call;
      const args = canonicalForm(call.args ?? null);
      const request = {
        id: randomUUID(),
        tool,
        arguments: args.shown,
        reasons: asks.map(({ guardrail, why }) => ({ guardrail, why })),
        callId,
        ...(conversationId !== undefined && { conversationId }),
        ...(user !== undefined && { user }),
        askedAt: clock(),
        digest: digestOfCall(call, args.text),
      };
      return { ...request, seal: seals.of("request", canonical(request)) };
    },
    grant(request, given) {
      checkMembers("guardrails.grant", Object(given) as object, GRANTED_ROWS);
      const { by, expiresIn } = given;
      if (!isGenuine(request, seals)) {
        throw new ToolContractError(
          "guardrails.grant: this is not the request of a call of these guardrails, or it was changed. Pass it as the call answered it; after a restart, pass the same `grants: { secret }`.",
        );
      }
      const token: Token = {
        // A question is answered once, however often its answer arrives.
        id: request.id,
        digest: request.digest,
        asks: request.reasons.map(askId),
        by,
        until: clock() + expiresIn,
      };
      const text = Buffer.from(JSON.stringify(token)).toString("base64url");
      return `${text}.${seals.of("grant", text)}`;
    },
    answering(call, asks) {
      const digest = digestOfCall(call, canonical(call.args ?? null));
      const now = clock();
      const good = call.tokens.slice(0, MAX_TOKENS).flatMap((given) => {
        const token = readToken(given, seals);
        return token && token.digest === digest && token.until > now ? [token] : [];
      });
      const answers = asks.map((ask) => good.find((token) => token.asks.includes(askId(ask))));
      if (!answers.every((token) => token !== undefined)) return undefined;
      return [...new Set(answers)];
    },
    async use(grants) {
      const used: UsedGrant[] = [];
      const giveBack = async (): Promise<void> => {
        for (const one of used) await one.giveBack();
      };
      for (const { id } of grants) {
        const one = await use(id, clock());
        if (one) used.push(one);
        else {
          await giveBack();
          return undefined;
        }
      }
      return {
        giveBack,
        async keep() {
          for (const one of used) await one.keep();
        },
      };
    },
  };
}

/** What a grant is bound to: the tool, its arguments, and for whom it is called. */
function digestOfCall(call: AskingCall, args: string): string {
  const { tool, callId, conversationId, user, knowsConversation, runId, definition } = call;
  const own = knowsConversation === false ? { run: runId ?? null, ...(!runId && { callId }) } : {};
  const where = knowsConversation === false ? own : conversationId;
  return digestOf(canonical([tool, textOf(definition), args, [where, user]]));
}

/** A tool's description and schema, however its members are ordered; throws a TypeError for a schema in a circle. */
function textOf({ description, inputSchema }: ToolFacts = {}): string {
  return JSON.stringify([description ?? null, inputSchema ?? null], (_, member: unknown) =>
    isRecord(member) ? Object.fromEntries(Object.entries(member).toSorted(byName)) : member,
  );
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** A grant answers what a guardrail asked for this reason, and nothing else. */
function askId({ guardrail, why }: AskOfGuardrail): string {
  return digestOf(canonical([guardrail, why]));
}

function isGenuine(request: unknown, seals: Seals): request is AskRequest {
  try {
    const { seal, ...rest } = Object(request) as AskRequest;
    return seals.isOf("request", canonical(rest), seal);
  } catch {
    // A request that cannot be read is not one of ours.
    return false;
  }
}

function readToken(given: unknown, seals: Seals): Token | undefined {
  if (typeof given !== "string" || given.length > MAX_TOKEN) return undefined;
  const [text = "", seal, ...more] = given.split(".");
  if (more.length > 0 || !seals.isOf("grant", text, seal)) return undefined;
  // Only we have sealed it, so it is as we wrote it.
  return JSON.parse(Buffer.from(text, "base64url").toString()) as Token;
}
