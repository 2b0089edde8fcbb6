import type { JsonSchema } from "@toolcontract/core";
import type { CorpusTool } from "../corpus.ts";
import type { Slip } from "./slips.ts";

const TEXT = { type: "string" };
const COUNT = { type: "integer", minimum: 1 };
const DATE = { type: "string", format: "date" };
const TIME = { type: "string", format: "date-time" };
const TEXTS = { type: "array", items: TEXT };

const object = (
  properties: object,
  required: readonly string[] = [],
  more: object = {},
): object => ({
  type: "object",
  properties,
  required,
  ...more,
});
const CLOSED = { additionalProperties: false };

/** A tool with what models send to it: each fault by its kind, as a value or as the text of the arguments. */
function faults(
  name: string,
  inputSchema: object,
  sent: Readonly<Record<string, unknown>>,
): readonly Slip[] {
  const tool: CorpusTool = { name, inputSchema: inputSchema as JsonSchema };
  return Object.entries(sent).map(([kind, args]) => ({ tool, kind, sent: args }));
}

const EVENT_TIME = {
  anyOf: [
    object({ date: DATE }, ["date"], CLOSED),
    object({ dateTime: TIME, timeZone: TEXT }, ["dateTime"], CLOSED),
  ],
};

const BLOCK = {
  oneOf: [
    object({ type: { const: "paragraph" }, text: TEXT }, ["type", "text"]),
    object(
      {
        type: { const: "heading" },
        text: TEXT,
        level: { type: "integer", minimum: 1, maximum: 3 },
      },
      ["type", "text", "level"],
    ),
    object({ type: { const: "todo" }, text: TEXT, checked: { type: "boolean" } }, ["type", "text"]),
  ],
};

const FILTER = {
  oneOf: [
    object({ and: { type: "array", items: { $ref: "#/$defs/filter" } } }, ["and"], CLOSED),
    object(
      { property: TEXT, operator: { enum: ["equals", "contains", "before"] }, value: TEXT },
      ["property", "operator", "value"],
      CLOSED,
    ),
  ],
};

/** Faults as models make them, on schemas like those of real servers: unions, maps, lists of objects, dates. */
export const MODEL_FAULTS: readonly Slip[] = [
  ...faults(
    "calendar_create_event",
    object(
      {
        summary: TEXT,
        start: EVENT_TIME,
        end: EVENT_TIME,
        attendees: {
          type: "array",
          items: object(
            { email: { type: "string", format: "email" }, optional: { type: "boolean" } },
            ["email"],
          ),
        },
        reminders: { type: "array", items: { type: "integer", minimum: 0 }, maxItems: 5 },
        visibility: { enum: ["default", "public", "private"] },
      },
      ["summary", "start", "end"],
    ),
    {
      "a date where a union of objects is": {
        summary: "Review",
        start: "2026-03-14",
        end: { date: "2026-03-15" },
      },
      "a key of the other branch": {
        summary: "Review",
        start: { dateTime: "2026-03-14T09:00:00Z", time_zone: "Europe/Lisbon" },
        end: { dateTime: "2026-03-14T10:00:00Z" },
      },
      "dates in words": {
        summary: "Review",
        start: { date: "tomorrow" },
        end: { dateTime: "March 14, 2026 10:00" },
      },
      "a time without its zone": {
        summary: "Review",
        start: { dateTime: "2026-03-14T09:00:00" },
        end: { dateTime: "2026-03-14 10:00" },
      },
      "addresses where objects are": {
        summary: "Review",
        start: { date: "2026-03-14" },
        end: { date: "2026-03-14" },
        attendees: ["ana@example.com", "joao@example.com"],
      },
      "addresses in one string": {
        summary: "Review",
        start: { date: "2026-03-14" },
        end: { date: "2026-03-14" },
        attendees: "ana@example.com, joao@example.com",
      },
      "numbers in one string": {
        summary: "Review",
        start: { date: "2026-03-14" },
        end: { date: "2026-03-14" },
        reminders: "10, 30",
        visibility: "Private",
      },
      "a misspelt key in the second item": {
        summary: "Review",
        start: { date: "2026-03-14" },
        end: { date: "2026-03-14" },
        attendees: [{ email: "ana@example.com" }, { mail: "joao@example.com", optional: "yes" }],
      },
    },
  ),
  ...faults(
    "append_blocks",
    object(
      {
        page_id: { type: "string", format: "uuid" },
        children: { type: "array", items: BLOCK, minItems: 1 },
      },
      ["page_id", "children"],
    ),
    {
      "a tag that no branch has": {
        page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        children: [{ type: "heading_2", text: "Notes" }],
      },
      "a tag in capitals": {
        page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        children: [{ type: "Paragraph", text: "Notes" }],
      },
      "no tag": {
        page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        children: [{ text: "Notes", level: 2 }],
      },
      "a branch with a fault": {
        page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        children: [
          { type: "heading", text: "Notes", level: "2" },
          { type: "todo", text: "Call Ana", checked: "no" },
        ],
      },
      "one object where a list is": {
        page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        children: { type: "paragraph", text: "Notes" },
      },
      "text where a list of objects is": {
        page_id: "not-a-uuid",
        children: "Notes",
      },
      "objects as strings": {
        page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        children: ['{"type":"paragraph","text":"Notes"}'],
      },
      "an empty list": { page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427", children: [] },
    },
  ),
  ...faults(
    "query_database",
    object(
      {
        database_id: TEXT,
        filter: { $ref: "#/$defs/filter" },
        sorts: {
          type: "array",
          items: object(
            { property: TEXT, direction: { enum: ["ascending", "descending"] } },
            ["property", "direction"],
            CLOSED,
          ),
        },
        page_size: { type: "integer", minimum: 1, maximum: 100, default: 100 },
      },
      ["database_id"],
      { ...CLOSED, $defs: { filter: FILTER } },
    ),
    {
      "short values and an invented key": {
        database_id: "a",
        sorts: [{ property: "Due", direction: "desc", nulls: "last" }],
      },
      "beyond the limit": { database_id: "a", page_size: 500 },
      "a fault deep in a recursive union": {
        database_id: "a",
        filter: { and: [{ property: "Due", operator: "before", value: 5 }, { property: "Owner" }] },
      },
      "both branches at once": {
        database_id: "a",
        filter: { and: [], property: "Due", operator: "equals", value: "x" },
      },
      "a map where a list of objects is": { database_id: "a", sorts: { Due: "descending" } },
      "stringified JSON": {
        database_id: "a",
        filter: '{"property": "Due", "operator": "equals", "value": "today"}',
        sorts: '[{"property": "Due", "direction": "asc"}]',
      },
      "a nested wrapper": { query: { database_id: "a", page_size: "50" } },
    },
  ),
  ...faults(
    "apply_deployment",
    object(
      {
        name: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 63 },
        namespace: TEXT,
        replicas: { type: "integer", minimum: 0, maximum: 50 },
        labels: { type: "object", additionalProperties: TEXT },
        env: {
          type: "object",
          propertyNames: { pattern: "^[A-Z_][A-Z0-9_]*$" },
          additionalProperties: { type: ["string", "number", "boolean"] },
        },
        resources: object({
          limits: object({ cpu: TEXT, memory: TEXT }, [], CLOSED),
        }),
        ports: {
          type: "array",
          items: object({ containerPort: { type: "integer", minimum: 1, maximum: 65535 } }, [
            "containerPort",
          ]),
          uniqueItems: true,
        },
        strategy: { enum: ["RollingUpdate", "Recreate"] },
      },
      ["name", "replicas"],
      CLOSED,
    ),
    {
      "numbers in a map of strings": {
        name: "web",
        replicas: 2,
        labels: { tier: 1, canary: true },
      },
      "a list of pairs where a map is": {
        name: "web",
        replicas: 2,
        labels: [{ name: "tier", value: "web" }],
      },
      "a key that a map refuses": { name: "web", replicas: 2, env: { "log-level": "debug" } },
      "null in a map": { name: "web", replicas: 2, env: { LOG_LEVEL: null } },
      "text where a map is": { name: "web", replicas: 2, labels: "tier=web,app=shop" },
      "a name that breaks a pattern": { name: "My_App", replicas: "two" },
      "a number deep inside": {
        name: "web",
        replicas: 2,
        resources: { limits: { cpu: 0.5, memory: "512Mi", gpu: 1 } },
      },
      "equal items": {
        name: "web",
        replicas: 2,
        ports: [{ containerPort: 80 }, { containerPort: 80 }],
      },
      "an item that lacks its object": { name: "web", replicas: 2, ports: [80, 443] },
      "words joined in an enum": { name: "web", replicas: 2, strategy: "rolling_update" },
      "several faults at once": {
        nmae: "web",
        replicas: -1,
        strategy: "blue-green",
        image: "nginx:1.27",
      },
    },
  ),
  ...faults(
    "create_refund",
    object(
      {
        payment_intent: { type: "string", pattern: "^pi_" },
        amount: { type: "integer", minimum: 1, maximum: 99_999_999 },
        currency: { type: "string", minLength: 3, maxLength: 3 },
        reason: { enum: ["duplicate", "fraudulent", "requested_by_customer"] },
        metadata: { type: "object", additionalProperties: TEXT, maxProperties: 2 },
        notify: { type: "boolean" },
      },
      ["payment_intent", "amount"],
      CLOSED,
    ),
    {
      "an amount with a currency": { payment_intent: "pi_1", amount: "12.50 EUR" },
      "a fraction": { payment_intent: "pi_1", amount: 12.5 },
      "a thousands separator": { payment_intent: "pi_1", amount: "1,250" },
      "a sentence for an enum": {
        payment_intent: "pi_1",
        amount: 100,
        reason: "The customer asked for their money back",
      },
      "an exact length": { payment_intent: "pi_1", amount: 100, currency: "euro" },
      "too many entries": {
        payment_intent: "pi_1",
        amount: 100,
        metadata: { order: "1", agent: "a", ticket: "T-1" },
      },
      "yes for a boolean": { payment_intent: "pi_1", amount: 100, notify: "yes" },
      "1 for a boolean": { payment_intent: "pi_1", amount: 100, notify: 1 },
      "camel case": { paymentIntent: "pi_1", amount: 100 },
      "a prefix that is missing": { payment_intent: "3MtwBw", amount: 100 },
    },
  ),
  ...faults(
    "search_flights",
    object(
      {
        from: { type: "string", pattern: "^[A-Z]{3}$" },
        to: { type: "string", pattern: "^[A-Z]{3}$" },
        depart: DATE,
        return: DATE,
        passengers: object({ adults: COUNT, children: { type: "integer", minimum: 0 } }, [
          "adults",
        ]),
        cabin: { enum: ["economy", "premium_economy", "business", "first"] },
        airlines: TEXTS,
        max_price: { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "null" }] },
        sort: { type: "string", enum: ["price", "duration", "departure"] },
      },
      ["from", "to", "depart", "passengers"],
      { ...CLOSED, dependentRequired: { return: ["cabin"] } },
    ),
    {
      "a date as people write it": {
        from: "LIS",
        to: "BER",
        depart: "14/03/2026",
        passengers: { adults: 1 },
      },
      "a day that does not exist": {
        from: "LIS",
        to: "BER",
        depart: "2026-02-30",
        passengers: { adults: 1 },
      },
      "small letters": {
        from: "lis",
        to: "Berlin",
        depart: "2026-03-14",
        passengers: { adults: 1 },
      },
      "a number where an object is": {
        from: "LIS",
        to: "BER",
        depart: "2026-03-14",
        passengers: 2,
      },
      "a misspelt nested key": {
        from: "LIS",
        to: "BER",
        depart: "2026-03-14",
        passengers: { adult: 2, children: "0" },
      },
      "fields of an object beside it": {
        from: "LIS",
        to: "BER",
        depart: "2026-03-14",
        adults: 2,
        children: 0,
      },
      "a list in one string": {
        from: "LIS",
        to: "BER",
        depart: "2026-03-14",
        passengers: { adults: 1 },
        airlines: "TAP, Lufthansa",
      },
      "a price in words": {
        from: "LIS",
        to: "BER",
        depart: "2026-03-14",
        passengers: { adults: 1 },
        max_price: "200 EUR",
        cabin: "premium",
      },
      "a field that needs another": {
        from: "LIS",
        to: "BER",
        depart: "2026-03-14",
        return: "2026-03-20",
        passengers: { adults: 1 },
      },
      "synonyms of keys": {
        origin: "LIS",
        destination: "BER",
        departure_date: "2026-03-14",
        passengers: { adults: 1 },
      },
      "a key with a value of its own": {
        from: "LIS",
        to: "BER",
        depart: "2026-03-14",
        passengers: { adults: 1 },
        class: "economy",
      },
      "a fenced text": '```json\n{"from": "LIS", "to": "BER", "depart": "14.3.2026"}\n```',
      "text that is cut":
        '{"from": "LIS", "to": "BER", "depart": "2026-03-14", "passengers": {"adu',
      "a sentence instead of arguments": "I will search for flights from Lisbon to Berlin.",
      "Python instead of JSON": "{'from': 'LIS', 'to': 'BER', 'depart': None}",
    },
  ),
  ...faults(
    "edit_file",
    object(
      {
        path: TEXT,
        edits: {
          type: "array",
          items: object(
            { old_text: TEXT, new_text: TEXT, line: COUNT },
            ["old_text", "new_text"],
            CLOSED,
          ),
        },
        mode: { anyOf: [{ const: "insert" }, { const: "replace" }] },
        range: { type: "array", prefixItems: [COUNT, COUNT], items: false, minItems: 2 },
      },
      ["path", "edits"],
      CLOSED,
    ),
    {
      "an edit beside the list": { path: "a.ts", old_text: "x", new_text: "y" },
      "aliases in every item": {
        path: "a.ts",
        edits: [
          { oldText: "x", newText: "y" },
          { old_string: "x", new_string: "y" },
        ],
      },
      "a tuple in one string": { path: "a.ts", edits: [], range: "1-5" },
      "a tuple with too much": { path: "a.ts", edits: [], range: [1, 5, 9] },
      "a constant misspelt": { path: "a.ts", edits: [], mode: "replce" },
      "a wrapped string": { path: { path: "a.ts" }, edits: [] },
      "a list of one path": { path: ["a.ts"], edits: [] },
      "a list of two paths": { path: ["a.ts", "b.ts"], edits: [] },
      "a wrapper with a tool's name": { edit_file: { path: "a.ts", edits: [] } },
      "a whole call as arguments": { name: "edit_file", arguments: { path: "a.ts", edits: [] } },
      "arguments in a list": [{ path: "a.ts", edits: [] }],
    },
  ),
];
