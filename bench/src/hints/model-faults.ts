import { CLOSED, COUNT, DATE, TEXT, TEXTS, faults, object } from "./faults-of.ts";
import { NESTED_FAULTS } from "./nested-faults.ts";
import type { Slip } from "./slips.ts";

/** Faults as models make them, on schemas like those of real servers: in nested arguments, in values, and as a whole. */
export const MODEL_FAULTS: readonly Slip[] = [
  ...NESTED_FAULTS,
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
