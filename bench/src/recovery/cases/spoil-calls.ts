import { type Corpus, type CorpusCall, corpusCall } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { ajvAccepts } from "../../bare-ajv.ts";
import { parentOf, withValue } from "@toolcontract/corrections";
import { hardenTool } from "./harden-tool.ts";
import { type Random, randomFrom } from "./random.ts";
import { type Site, sitesOf } from "./sites.ts";
import { drawKind, type Fault, type MakeSlip, putFault, type SlipKind, SLIPS } from "./slips.ts";

/** An invalid call with its ground truth. */
export interface SpoiltCall extends CorpusCall {
  /** The corpus that the tool and the valid call come from. */
  readonly source: string;
  /** The valid arguments. */
  readonly golden: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
  /** The secret parts of planted secrets: no message may contain them. */
  readonly secrets: readonly string[];
  /** Whether zod, with the same schema, reports each of the faults too. */
  readonly zodAgrees: boolean;
}

type Arguments = CorpusCall["args"];

const SEED = "recovery-1";
const CALL_TRIES = 8;
const SLIP_TRIES = 40;
const SECRET_SHARE = 0.3;

/** Spoils each call of a corpus in as many ways; the same on every run. */
export function spoilCalls({ name, calls }: Corpus, perCall: number): readonly SpoiltCall[] {
  return calls.flatMap((call, index) =>
    Array.from(
      { length: perCall },
      (_, round) => spoilCall(call, `${name}-${index}-${round}`, name) ?? [],
    ).flat(),
  );
}

function spoilCall(call: CorpusCall, id: string, source: string): SpoiltCall | undefined {
  for (let tried = 0; tried < CALL_TRIES; tried += 1) {
    const random = randomFrom(`${SEED}:${id}:${tried}`);
    const kind = drawKind(random);
    const { tool, args: plain } = hardenTool(call, kind, random);
    const { args: golden, secrets } = withSecret(sitesOf(tool.inputSchema, plain), plain, random);
    const isValid = ajvAccepts(tool);
    if (!isValid(golden)) continue;
    const { args, faults } = makeSlips(sitesOf(tool.inputSchema, golden), golden, kind, random);
    if (!isFair(isValid, golden, faults)) continue;
    // Two items that became equal where they must differ would be one more fault.
    const isDuplicate = faults.some((fault) => fault.kind === "duplicate");
    if (!isDuplicate && hasTwins(args) && !hasTwins(golden)) continue;
    const zod = zodOfTool(tool);
    const zodAgrees =
      zod !== undefined && isFair((value) => zod.safeParse(value).success, golden, faults);
    return { ...corpusCall(tool, args), source, golden, faults, secrets, zodAgrees };
  }
  return undefined;
}

/** Makes as many slips as models make in one call, at places that do not overlap. */
function makeSlips(
  sites: readonly Site[],
  golden: Arguments,
  first: SlipKind,
  random: Random,
): Pick<SpoiltCall, "args" | "faults"> {
  const count = Number(random.weighted({ "1": 67, "2": 23, "3": 2, "4": 2, "5": 3, "6": 3 }));
  const faults: Fault[] = [];
  let args = golden;
  const makeOne = (make: MakeSlip, site: Site): boolean => {
    const fault = overlaps(site.pointer, faults) ? undefined : make(site, random);
    if (fault === undefined || overlaps(fault.pointer, faults)) return false;
    args = putFault(args, fault);
    faults.push(fault);
    return true;
  };
  for (let tried = 0; tried < SLIP_TRIES && faults.length < count; tried += 1) {
    const kind = tried < 3 && faults.length === 0 ? first : drawKind(random);
    if (kind === "tail") {
      const fields = sites.filter(({ depth }) => depth === 1);
      const from = 1 + random.below(Math.max(1, fields.length));
      for (const site of fields.slice(from)) makeOne(SLIPS.missing, site);
    } else {
      random.shuffled(sites).some((site) => makeOne(SLIPS[kind], site));
    }
  }
  return { args, faults };
}

/** Whether a place contains a faulty one, is one or is inside one. */
function overlaps(pointer: string, faults: readonly Fault[]): boolean {
  return faults
    .flatMap((fault) => [fault.pointer, ...fault.also])
    .some(
      (other) =>
        pointer === other ||
        isBelow(pointer, other) ||
        (isBelow(other, pointer) && parentOf(other) !== pointer),
    );
}

function isBelow(inner: string, outer: string): boolean {
  return outer !== "" && inner.startsWith(`${outer}/`);
}

/** Whether the golden call is valid, and every fault alone makes it invalid and is still there after the others. */
function isFair(
  isValid: (value: unknown) => boolean,
  golden: unknown,
  faults: readonly Fault[],
): boolean {
  const isLost = ({ pointer }: Fault): boolean =>
    faults.some((other) => [other.pointer, ...other.also].some((at) => isBelow(pointer, at)));
  return (
    faults.length > 0 &&
    isValid(golden) &&
    faults.every((fault) => !isLost(fault) && !isValid(putFault(golden, fault)))
  );
}

function hasTwins(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const inside: readonly unknown[] = Object.values(value);
  const isSet = new Set(inside.map((item) => JSON.stringify(item))).size === inside.length;
  return (Array.isArray(value) && !isSet) || inside.some(hasTwins);
}

const CONSTRAINTS = ["enum", "const", "pattern", "format", "maxLength"];

/** Replaces a free string of some calls with one that contains a secret. */
function withSecret(
  sites: readonly Site[],
  args: Arguments,
  random: Random,
): Pick<SpoiltCall, "args" | "secrets"> {
  const places = sites.filter(
    ({ schema, value, pointer }) =>
      typeof value === "string" &&
      pointer !== "" &&
      CONSTRAINTS.every((keyword) => !(keyword in schema)),
  );
  if (places.length === 0 || random.next() > SECRET_SHARE) return { args, secrets: [] };
  const [before, secret, after = ""] = makeSecret(random);
  const changed = withValue(args, random.pick(places).pointer, before + secret + after);
  return { args: changed as Arguments, secrets: [secret] };
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** Makes a secret in one of the forms in which models pass them on. */
function makeSecret(random: Random): readonly [before: string, secret: string, after?: string] {
  const body = (length: number): string =>
    Array.from({ length }, () => LETTERS.charAt(random.below(LETTERS.length))).join("");
  const upper = body(16).toUpperCase();
  return random.pick([
    ["sk-proj-", body(40)],
    ["ghp_", body(36)],
    ["AKIA", upper],
    ["xoxb-", `${random.below(1e9)}-${body(24)}`],
    ["Authorization: Bearer ", body(32)],
    ["curl -H 'X-Api-Key: sk_live_", body(24), "' https://api.example.com"],
    ["postgres://app:", body(18), "@db.example.com:5432/main"],
    ["glpat-", body(20)],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI", `${body(20)}.${body(40)}`],
    ["use the key AIzaSy", body(33), " for maps"],
  ]);
}
