import { type Corpus, corpusCall } from "../../corpus.ts";
import { booking, editing } from "./made-nested-tools.ts";
import { filtering, paying } from "./made-variant-tools.ts";

const berlin = { street: "Unter den Linden 5", postcode: "10117", country: "DE" };
const paris = { street: "Rue de Rivoli 12", country: "FR" };

/** Tools made for what the tool lists at hand have little of: variants, limits and depth. */
export const MADE_TOOLS: Corpus = {
  name: "made",
  calls: [
    corpusCall(booking, {
      from: berlin,
      to: paris,
      depart_on: "2026-05-04",
      passengers: [
        { name: "Ana Silva", age: 34, contact: { email: "ana@example.com", phone: "+351 1" } },
        { name: "Bo", age: 4 },
      ],
      budget: 900.5,
      cabin: "premium_economy",
    }),
    corpusCall(editing, {
      document_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
      edits: [
        { kind: "insert", position: 4, text: "a new line" },
        { kind: "delete", start: 10, end: 14 },
        { kind: "style", style: "bold", range: { start: 0, end: 3 } },
      ],
      dry_run: true,
    }),
    corpusCall(filtering, {
      table: "orders",
      where: {
        all: [
          { field: "status", equals: "open" },
          { field: "total", between: [10, 20] },
        ],
      },
      sort: { by: "total", direction: "descending" },
      columns: ["id", "total"],
      limit: 20,
      cursor: "c-17",
    }),
    corpusCall(filtering, {
      table: "orders",
      where: { field: "paid", equals: true },
      sort: "total",
    }),
    corpusCall(paying, {
      amount: 12.5,
      currency: "EUR",
      to: { iban: "DE89370400440532013000" },
      note: "for the tickets",
      tags: { project: "spring" },
    }),
    corpusCall(paying, {
      amount: 99,
      currency: "USD",
      to: { card: { number: "4111111111111111", expires: "09/29" } },
      execute_at: "2026-05-04T08:00:00Z",
    }),
  ],
};
