import { type CorpusTool, corpusCall } from "../../corpus.ts";
import { type Random, randomFrom } from "../random.ts";
import { applyEdit } from "./apply-edit.ts";
import { misspell } from "./misspell.ts";
import type { Edit, Fault } from "./fault.ts";
import type { SpoiltCall } from "./spoilt-call.ts";

/** The source of these cases. */
export const LOOK_ALIKES = "look-alikes";

/** Names that stand beside each other in real tools and are easily taken for each other. */
const KEYS =
  "min_price max_price, start_date end_date, latitude longitude, source_id target_id, created_before created_after, " +
  "first_name last_name, page page_size, sort_by sort_order, user_id username, message messages, include exclude, " +
  "address_line_1 address_line_2, from_currency to_currency, departure_date arrival_date return_date, content context, " +
  "path pattern, title subtitle, repo report, state status stats, format formatter, import_path export_path, " +
  "input_file output_file, old_text new_text, is_public is_private, north_bound south_bound, width weight height, " +
  "minLength maxLength, startTime endTime, pageToken pageTotal, option1 option2, http_url https_url, " +
  "lat lng, row col, tag_name tag_names, issue_number issue_numbers, inclusive exclusive, read_only write_only";

const VALUES =
  "asc desc, active inactive archived, open closed reopened, low medium high, celsius fahrenheit kelvin, " +
  "json jsonl yaml xml, utf-8 utf-16 ascii, public private internal, enabled disabled, read write read_write, " +
  "daily weekly monthly yearly, increase decrease, subscribe unsubscribe, import export, mean median mode, " +
  "sum avg min max, tuesday thursday sunday monday, june july january, USD AUD CAD EUR, iran iraq, austria australia, " +
  "python2 python3, us-east-1 us-west-1 us-east-2, v1.2 v1.3, gpt-4 gpt-5, node18 node20, male female, " +
  "added removed edited, ios macos, linear linear_light, in_progress in_review done, km/h mph m/s, mg kg, " +
  "north south northeast, public_repo private_repo, png jpg gif, left right, debug info warning error";

const OTHERS = ["query", "workspace", "labels", "confirmed"] as const;
const ROUNDS = 6;

/**
 * Calls of made-up tools in which one name or value is off: half of them near misses with a look-alike beside
 * the right one, half a look-alike that the tool does not know and that means something else.
 */
export function lookAlikeCases(): readonly SpoiltCall[] {
  return [KEYS, VALUES].flatMap((families, kind) =>
    families.split(", ").flatMap((family, index) =>
      Array.from({ length: ROUNDS }, (_, round) => {
        const id = `look-alike-${kind}-${index}-${round}`;
        const random = randomFrom(id);
        const names = family.split(" ");
        const isNear = round % 2 === 0;
        const make = kind === 0 ? keyCase : valueCase;
        return make(id, names, isNear, random) ?? [];
      }).flat(),
    ),
  );
}

function keyCase(
  id: string,
  names: readonly string[],
  isNear: boolean,
  random: Random,
): SpoiltCall | undefined {
  const golden = random.pick(names);
  const foreign = foreignOf(golden, names, random);
  if (foreign === undefined && !isNear) return undefined;
  const known = isNear ? names : names.filter((name) => name !== foreign);
  const sent = isNear ? misspell(golden, random, "key") : (foreign ?? "");
  if (known.includes(sent)) return undefined;
  const tool = toolWith(Object.fromEntries(known.map((name) => [name, { type: "string" }])));
  const siblings = [...known, ...OTHERS];
  const pointer = `/${sent}`;
  if (isNear) {
    const args = { query: "open orders", [golden]: "a" };
    const undo: Edit = { remove: [pointer], set: [[`/${golden}`, "a"]] };
    const fault: Fault = {
      ...BLANK,
      kind: "misspelt",
      pointer,
      also: [`/${golden}`],
      fix: [[golden]],
      near: golden,
      undo,
      siblings,
    };
    return finish(id, tool, args, { remove: [`/${golden}`], set: [[pointer, "a"]] }, fault);
  }
  const isThere = random.next() < 0.5;
  const args = { query: "open orders", ...(isThere && { [golden]: "a" }) };
  const undo: Edit = { remove: [pointer], set: [] };
  const fault: Fault = { ...BLANK, kind: "unknown", pointer, fix: [UNKNOWN], undo, siblings };
  return finish(id, tool, args, { remove: [], set: [[pointer, "b"]] }, fault);
}

function valueCase(
  id: string,
  names: readonly string[],
  isNear: boolean,
  random: Random,
): SpoiltCall | undefined {
  const golden = random.pick(names);
  const foreign = foreignOf(golden, names, random);
  if (foreign === undefined && !isNear) return undefined;
  const known = isNear ? names : names.filter((name) => name !== foreign);
  const sent = isNear ? misspell(golden, random, "value") : (foreign ?? "");
  if (known.includes(sent)) return undefined;
  const schema = { enum: [...known, "other"] };
  const tool = toolWith({ choice: schema });
  const args = { query: "open orders", choice: golden };
  const undo: Edit = { remove: [], set: [["/choice", golden]] };
  const near = isNear ? { near: golden } : { foreign: true as const };
  const fault: Fault = {
    ...BLANK,
    kind: "enum",
    pointer: "/choice",
    schema,
    fix: [[golden]],
    undo,
    ...near,
  };
  return finish(id, tool, args, { remove: [], set: [["/choice", sent]] }, fault);
}

/** A name that means something else; one that only has a plural or a word more may well mean the same. */
function foreignOf(golden: string, names: readonly string[], random: Random): string | undefined {
  const words = (name: string): string => `_${name.replaceAll(/s(?=_|$)/g, "")}_`;
  const others = names.filter((name) => name !== golden);
  const foreign = others.filter((name) =>
    others.concat(golden).every((other) => {
      const [a, b] = [words(name), words(other)];
      return name === other || !(a.includes(b) || b.includes(a));
    }),
  );
  return foreign.length > 0 ? random.pick(foreign) : undefined;
}

const UNKNOWN = [
  "unknown",
  "unrecognized",
  "additional",
  "unexpected",
  "not in the list",
  "not allowed",
];
const BLANK = {
  also: [],
  schema: { type: "string" },
  optional: true,
  siblings: [],
  inUnion: false,
} as const;

function toolWith(fields: Readonly<Record<string, object>>): CorpusTool {
  const others = Object.fromEntries(OTHERS.map((name) => [name, { type: "string" }]));
  const properties = { ...fields, ...others };
  const inputSchema = {
    type: "object",
    properties,
    required: ["query"],
    additionalProperties: false,
  };
  return { name: "find_orders", inputSchema };
}

function finish(
  id: string,
  tool: CorpusTool,
  golden: Readonly<Record<string, unknown>>,
  edit: Edit,
  fault: Fault,
): SpoiltCall {
  const call = corpusCall(tool, applyEdit(golden, edit));
  return {
    ...call,
    id,
    source: LOOK_ALIKES,
    golden,
    faults: [fault],
    secrets: [],
    zodAgrees: true,
  };
}
