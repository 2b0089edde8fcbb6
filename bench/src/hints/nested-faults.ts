import type { Slip } from "./slips.ts";
import { CLOSED, DATE, TEXT, TIME, faults, object } from "./faults-of.ts";

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

/** Faults as models make them in nested arguments: unions, maps, lists of objects, dates inside objects. */
export const NESTED_FAULTS: readonly Slip[] = [
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
    {
      // Only a heading has a level.
      "no tag": {
        page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
        children: [{ type: "heading", text: "Notes", level: 2 }],
      },
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
];
