import type { JsonSchema } from "@toolcontract/core";
import { type CorpusCall, corpusCall } from "../corpus.ts";

type Fields = Readonly<Record<string, JsonSchema>>;

const s: JsonSchema = { type: "string" };
const n: JsonSchema = { type: "number" };
const i: JsonSchema = { type: "integer" };
const b: JsonSchema = { type: "boolean" };
const uri: JsonSchema = { type: "string", format: "uri" };
const day: JsonSchema = { type: "string", format: "date" };
const time: JsonSchema = { type: "string", format: "date-time" };

function one(values: string): JsonSchema {
  return { type: "string", enum: values.split(" ") };
}

function list(items: JsonSchema, most?: number): JsonSchema {
  return { type: "array", items, ...(most !== undefined && { maxItems: most }) };
}

function range(minimum: number, maximum: number): JsonSchema {
  return { type: "integer", minimum, maximum };
}

/** An object; a name that ends in `?` is optional, and `!` as the name of a field closes it. */
function shape(fields: Fields & { readonly "!"?: true }): JsonSchema {
  const names = Object.keys(fields).filter((name) => name !== "!");
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [name.replace("?", ""), fields[name] as JsonSchema]),
    ),
    required: names.filter((name) => !name.endsWith("?")),
    ...(fields["!"] === true && { additionalProperties: false }),
  };
}

const person = shape({ email: { type: "string", format: "email" }, "optional?": b, "!": true });
const moment = shape({ dateTime: time, "timeZone?": s });

/** A call of each of many servers' usual tools, written without a look at the tables of the near names. */
const CALLS: readonly (readonly [name: string, schema: JsonSchema, args: object])[] = [
  [
    "create_issue",
    shape({
      owner: s,
      repo: s,
      title: s,
      "body?": s,
      "labels?": list(s),
      "assignees?": list(s),
      "milestone?": i,
    }),
    { owner: "octo", repo: "hello", title: "Crash", labels: ["bug", "ui"], milestone: 3 },
  ],
  [
    "create_pull_request",
    shape({
      owner: s,
      repo: s,
      title: s,
      head: s,
      base: s,
      "draft?": b,
      "maintainer_can_modify?": b,
      "!": true,
    }),
    { owner: "octo", repo: "hello", title: "Fix", head: "fix", base: "main", draft: false },
  ],
  [
    "merge_pull_request",
    shape({
      owner: s,
      repo: s,
      pull_number: i,
      "merge_method?": one("merge squash rebase"),
      "!": true,
    }),
    { owner: "octo", repo: "hello", pull_number: 12, merge_method: "squash" },
  ],
  [
    "search_code",
    shape({
      q: s,
      "sort?": one("indexed best-match"),
      "order?": one("asc desc"),
      "per_page?": range(1, 100),
      "page?": i,
    }),
    { q: "addClass repo:octo/hello", order: "desc", per_page: 30 },
  ],
  [
    "slack_post_message",
    shape({ channel_id: s, text: s, "thread_ts?": s, "unfurl_links?": b, "!": true }),
    { channel_id: "C024BE91L", text: "Deploy is done", unfurl_links: false },
  ],
  [
    "slack_add_reaction",
    shape({ channel_id: s, timestamp: s, reaction: s, "!": true }),
    { channel_id: "C024BE91L", timestamp: "1712345678.000100", reaction: "thumbsup" },
  ],
  [
    "query",
    shape({ sql: s, "params?": list(s), "timeout_ms?": i, "read_only?": b, "!": true }),
    { sql: "select 1", params: ["a", "b"], timeout_ms: 500, read_only: true },
  ],
  [
    "puppeteer_navigate",
    shape({
      url: uri,
      "waitUntil?": one("load domcontentloaded networkidle"),
      "allowDangerous?": b,
      "!": true,
    }),
    { url: "https://example.com/a", waitUntil: "networkidle" },
  ],
  [
    "puppeteer_screenshot",
    shape({ name: s, "selector?": s, "width?": n, "height?": n, "encoded?": b }),
    { name: "home", selector: "main", width: 800, height: 600 },
  ],
  [
    "get_sentry_issue",
    shape({ organizationSlug: s, issueId: s, "regionUrl?": uri, "!": true }),
    { organizationSlug: "acme", issueId: "ACME-17", regionUrl: "https://us.example.com/" },
  ],
  [
    "jira_create_ticket",
    shape({
      projectKey: s,
      summary: s,
      issueType: one("Bug Task Story Epic"),
      "priority?": one("Highest High Medium Low Lowest"),
      "components?": list(s),
      "dueDate?": day,
      "!": true,
    }),
    {
      projectKey: "OPS",
      summary: "Rotate keys",
      issueType: "Task",
      priority: "High",
      components: ["infra"],
      dueDate: "2026-03-01",
    },
  ],
  [
    "jira_transition_ticket",
    shape({ ticketKey: s, transition: s, "comment?": s }),
    { ticketKey: "OPS-9", transition: "Done", comment: "Released" },
  ],
  [
    "confluence_create_page",
    shape({
      spaceKey: s,
      title: s,
      content: s,
      "parentId?": s,
      "representation?": one("storage wiki editor"),
    }),
    { spaceKey: "ENG", title: "Runbook", content: "<p>Steps</p>", representation: "storage" },
  ],
  [
    "linear_update_issue",
    shape({
      id: s,
      "stateId?": s,
      "estimate?": i,
      "priority?": range(0, 4),
      "assigneeId?": s,
      "!": true,
    }),
    { id: "LIN-4", stateId: "st_done", estimate: 3, priority: 2 },
  ],
  [
    "stripe_create_refund",
    shape({
      payment_intent: s,
      "amount?": i,
      "reason?": one("duplicate fraudulent requested_by_customer"),
      "!": true,
    }),
    { payment_intent: "pi_3NkQ", amount: 1500, reason: "requested_by_customer" },
  ],
  [
    "stripe_list_invoices",
    shape({
      customer: s,
      "limit?": range(1, 100),
      "status?": one("draft open paid uncollectible void"),
      "!": true,
    }),
    { customer: "cus_9s6", limit: 10, status: "open" },
  ],
  [
    "gdrive_search",
    shape({ query: s, "pageSize?": i, "pageToken?": s, "includeTrashed?": b, "!": true }),
    { query: "name contains 'plan'", pageSize: 20, includeTrashed: false },
  ],
  [
    "calendar_create_event",
    shape({
      calendarId: s,
      summary: s,
      start: moment,
      end: moment,
      "attendees?": list(person),
      "location?": s,
      "recurrence?": list(s),
    }),
    {
      calendarId: "primary",
      summary: "Review",
      start: { dateTime: "2026-03-01T09:00:00Z" },
      end: { dateTime: "2026-03-01T10:00:00Z" },
      attendees: [{ email: "ana@example.com" }],
      location: "Room 2",
    },
  ],
  [
    "gmail_send",
    shape({
      to: list({ type: "string", format: "email" }),
      subject: s,
      body: s,
      "cc?": list(s),
      "attachments?": list(s),
      "!": true,
    }),
    { to: ["ana@example.com"], subject: "Report", body: "Attached.", attachments: ["report.pdf"] },
  ],
  [
    "kubectl_scale",
    shape({
      resource: one("deployment statefulset replicaset"),
      name: s,
      replicas: range(0, 50),
      "namespace?": s,
      "!": true,
    }),
    { resource: "deployment", name: "web", replicas: 3, namespace: "prod" },
  ],
  [
    "kubectl_logs",
    shape({
      podName: s,
      "container?": s,
      "tailLines?": i,
      "previous?": b,
      "sinceSeconds?": i,
      "!": true,
    }),
    { podName: "web-7d", container: "app", tailLines: 200, previous: false },
  ],
  [
    "docker_run_container",
    shape({
      image: s,
      "command?": list(s),
      "ports?": { type: "object", additionalProperties: i },
      "environment?": { type: "object", additionalProperties: s },
      "detach?": b,
      "!": true,
    }),
    { image: "redis:7", command: ["redis-server"], ports: { "6379": 6379 }, detach: true },
  ],
  [
    "get_weather_forecast",
    shape({
      latitude: n,
      longitude: n,
      "days?": range(1, 16),
      "units?": one("metric imperial"),
      "hourly?": b,
    }),
    { latitude: 52.5, longitude: 13.4, days: 5, units: "metric", hourly: false },
  ],
  [
    "convert_temperature",
    shape({
      value: n,
      from: one("celsius fahrenheit kelvin"),
      to: one("celsius fahrenheit kelvin"),
      "!": true,
    }),
    { value: 21.5, from: "celsius", to: "fahrenheit" },
  ],
  [
    "maps_directions",
    shape({
      origin: s,
      destination: s,
      "mode?": one("driving walking bicycling transit"),
      "avoid?": list(one("tolls highways ferries")),
      "departureTime?": time,
      "!": true,
    }),
    { origin: "Berlin", destination: "Hamburg", mode: "transit", avoid: ["tolls", "ferries"] },
  ],
  [
    "brave_web_search",
    shape({
      query: s,
      "count?": range(1, 20),
      "offset?": range(0, 9),
      "safesearch?": one("off moderate strict"),
      "freshness?": s,
      "!": true,
    }),
    { query: "typescript generics", count: 10, safesearch: "moderate" },
  ],
  [
    "redis_set",
    shape({ key: s, value: s, "expireSeconds?": i, "!": true }),
    { key: "session:1", value: "on", expireSeconds: 60 },
  ],
  [
    "s3_put_object",
    shape({
      bucket: s,
      key: s,
      body: s,
      "contentType?": s,
      "storageClass?": one("STANDARD INTELLIGENT_TIERING GLACIER"),
      "metadata?": { type: "object", additionalProperties: s },
    }),
    {
      bucket: "backups",
      key: "2026/a.json",
      body: "{}",
      contentType: "application/json",
      storageClass: "GLACIER",
    },
  ],
  [
    "airtable_create_records",
    shape({
      baseId: s,
      tableId: s,
      records: list(shape({ fields: { type: "object" }, "!": true }), 10),
      "typecast?": b,
      "!": true,
    }),
    { baseId: "appX", tableId: "tblY", records: [{ fields: { Name: "Ana" } }], typecast: true },
  ],
  [
    "hubspot_create_contact",
    shape({
      email: { type: "string", format: "email" },
      firstname: s,
      lastname: s,
      "phone?": s,
      "company?": s,
      "lifecyclestage?": one("subscriber lead customer evangelist"),
      "!": true,
    }),
    {
      email: "ana@example.com",
      firstname: "Ana",
      lastname: "Silva",
      phone: "+4930123",
      lifecyclestage: "customer",
    },
  ],
  [
    "shopify_update_inventory",
    shape({ inventoryItemId: s, locationId: s, available: i, "!": true }),
    { inventoryItemId: "gid-1", locationId: "loc-2", available: 40 },
  ],
  [
    "spotify_create_playlist",
    shape({ name: s, "description?": s, "public?": b, "collaborative?": b, "trackUris?": list(s) }),
    { name: "Focus", description: "Quiet", public: false, trackUris: ["spotify:track:1"] },
  ],
  [
    "youtube_get_transcript",
    shape({ videoId: s, "language?": s, "includeTimestamps?": b, "!": true }),
    { videoId: "dQw4", language: "en", includeTimestamps: true },
  ],
  [
    "convert_time",
    shape({ source_timezone: s, time: s, target_timezone: s, "!": true }),
    { source_timezone: "Europe/Berlin", time: "09:30", target_timezone: "Asia/Tokyo" },
  ],
  [
    "fetch",
    shape({ url: uri, "max_length?": range(1, 1_000_000), "start_index?": i, "raw?": b }),
    { url: "https://example.com/a", max_length: 5000, start_index: 0, raw: false },
  ],
  [
    "git_commit",
    shape({ repo_path: s, message: s, "files?": list(s), "sign_off?": b, "!": true }),
    { repo_path: "/tmp/app", message: "fix: typo", files: ["a.ts", "b.ts"], sign_off: true },
  ],
  [
    "git_diff",
    shape({ repo_path: s, target: s, "context_lines?": i }),
    { repo_path: "/tmp/app", target: "main", context_lines: 3 },
  ],
  [
    "figma_get_file",
    shape({ fileKey: s, "nodeId?": s, "depth?": i, "geometry?": one("paths none"), "!": true }),
    { fileKey: "aBc", nodeId: "1:2", depth: 2, geometry: "paths" },
  ],
  [
    "discord_send_message",
    shape({
      channelId: s,
      content: s,
      "embeds?": list(shape({ title: s, "description?": s, "color?": i })),
      "silent?": b,
      "!": true,
    }),
    { channelId: "10987", content: "Hi", embeds: [{ title: "News", color: 255 }], silent: false },
  ],
  [
    "twilio_send_sms",
    shape({ to: s, from: s, body: s, "mediaUrl?": list(uri), "statusCallback?": uri }),
    { to: "+4930123", from: "+4930999", body: "Code 12", statusCallback: "https://example.com/cb" },
  ],
  [
    "mongodb_find",
    shape({
      database: s,
      collection: s,
      "filter?": { type: "object" },
      "projection?": { type: "object" },
      "limit?": i,
      "sort?": { type: "object" },
      "!": true,
    }),
    { database: "shop", collection: "orders", filter: { status: "open" }, limit: 5 },
  ],
  [
    "elasticsearch_search",
    shape({ index: s, queryBody: { type: "object" }, "size?": i, "highlight?": b, "!": true }),
    { index: "logs-2026", queryBody: { match_all: {} }, size: 50, highlight: true },
  ],
  [
    "terraform_plan",
    shape({
      workingDirectory: s,
      "variables?": { type: "object", additionalProperties: s },
      "destroy?": b,
      "parallelism?": range(1, 20),
      "!": true,
    }),
    { workingDirectory: "infra/", variables: { region: "eu" }, parallelism: 10 },
  ],
  [
    "grafana_query_prometheus",
    shape({
      datasourceUid: s,
      expr: s,
      startTime: s,
      "endTime?": s,
      "stepSeconds?": i,
      "queryType?": one("range instant"),
    }),
    {
      datasourceUid: "prom",
      expr: "up",
      startTime: "now-1h",
      endTime: "now",
      stepSeconds: 60,
      queryType: "range",
    },
  ],
  [
    "datadog_list_monitors",
    shape({
      "groupStates?": list(one("alert warn no-data ok")),
      "tags?": list(s),
      "pageSize?": range(1, 100),
      "!": true,
    }),
    { groupStates: ["alert", "warn"], tags: ["env:prod", "team:web"], pageSize: 50 },
  ],
  [
    "pagerduty_create_incident",
    shape({
      title: s,
      serviceId: s,
      urgency: one("high low"),
      "escalationPolicyId?": s,
      "details?": s,
      "!": true,
    }),
    { title: "DB down", serviceId: "PX1", urgency: "high", details: "Primary lost" },
  ],
  [
    "asana_create_task",
    shape({
      name: s,
      workspace: s,
      "projects?": list(s),
      "due_on?": day,
      "assignee?": s,
      "completed?": b,
      "notes?": s,
      "!": true,
    }),
    {
      name: "Draft",
      workspace: "12",
      projects: ["77"],
      due_on: "2026-04-01",
      completed: false,
      notes: "Short",
    },
  ],
  [
    "trello_move_card",
    shape({ cardId: s, listId: s, "position?": one("top bottom"), "!": true }),
    { cardId: "c1", listId: "l2", position: "bottom" },
  ],
  [
    "todoist_update_task",
    shape({
      task_id: s,
      "content?": s,
      "due_string?": s,
      "priority?": range(1, 4),
      "labels?": list(s),
      "!": true,
    }),
    { task_id: "42", content: "Buy milk", due_string: "tomorrow", priority: 4, labels: ["home"] },
  ],
  [
    "home_assistant_call_service",
    shape({
      domain: s,
      service: s,
      target: shape({ entity_id: s, "area_id?": s, "!": true }),
      "brightness?": range(0, 255),
      "transition?": n,
    }),
    {
      domain: "light",
      service: "turn_on",
      target: { entity_id: "light.kitchen" },
      brightness: 128,
      transition: 1.5,
    },
  ],
  [
    "obsidian_append_note",
    shape({ filepath: s, content: s, "createIfMissing?": b, "heading?": s, "!": true }),
    { filepath: "daily/1.md", content: "- done", createIfMissing: true, heading: "Log" },
  ],
  [
    "edit_text_file",
    shape({
      path: s,
      edits: list(shape({ oldText: s, newText: s, "!": true })),
      "dryRun?": b,
      "!": true,
    }),
    { path: "/tmp/a.txt", edits: [{ oldText: "a", newText: "b" }], dryRun: true },
  ],
  [
    "start_process",
    shape({
      command: s,
      "workingDir?": s,
      "env?": { type: "object", additionalProperties: s },
      "timeoutSeconds?": range(1, 3600),
      "shell?": one("bash zsh powershell"),
      "!": true,
    }),
    { command: "ls", workingDir: "/tmp", timeoutSeconds: 30, shell: "zsh" },
  ],
  [
    "book_flight",
    shape({
      departureAirport: s,
      arrivalAirport: s,
      departureDate: day,
      passengers: range(1, 9),
      "cabin?": one("economy premium business first"),
      "flexible?": b,
      "!": true,
    }),
    {
      departureAirport: "BER",
      arrivalAirport: "LIS",
      departureDate: "2026-05-02",
      passengers: 2,
      cabin: "economy",
      flexible: false,
    },
  ],
  [
    "send_invoice",
    shape({
      customerName: s,
      currency: one("EUR USD GBP JPY"),
      lineItems: list(shape({ description: s, quantity: i, unitPrice: n, "!": true })),
      "dueInDays?": i,
      "!": true,
    }),
    {
      customerName: "Acme",
      currency: "EUR",
      lineItems: [{ description: "Work", quantity: 2, unitPrice: 99.5 }],
      dueInDays: 14,
    },
  ],
];

/** The valid calls of the tools. */
export const toolCalls: readonly CorpusCall[] = CALLS.map(([name, inputSchema, args]) =>
  corpusCall({ name, inputSchema }, { ...args }),
);
