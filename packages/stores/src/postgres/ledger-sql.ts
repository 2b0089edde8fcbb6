import type { TableNames } from "./names.ts";

// An account holds what is spent for ever, and what is reserved. `gone` is the part of what is spent that ended at `gone_until` or
// before, or that was swept: a window that begins there costs no more than what ended since. What is in doubt is few rows.
//
// A function, because each of its statements sees what was committed before it began: the sums are read after the accounts are
// locked, in one round trip, by any client. Accounts are locked in the order of their names and before entries, so that no two
// steps wait for each other. Each step changes its accounts' rows, so that under REPEATABLE READ a step that has decided on sums of
// the past fails instead.

const FOLDED = (after: string): string => `CASE WHEN ${after} IS NULL THEN 0 ELSE`;

/** What counts as spent and in doubt in an account `a` after a time; `without` is an entry that is left out. */
function sums(
  { doubts, spent }: TableNames,
  after: string,
  without = "NULL",
): Readonly<Record<"spent" | "doubt" | "over", string>> {
  const between = (from: string, to: string): string =>
    `(SELECT coalesce(sum(s.amount), 0) FROM ${spent} s WHERE s.account = a.account AND s.at > ${from} AND s.at <= ${to})`;
  const over = `${FOLDED(after)} CASE WHEN ${after} >= a.gone_until THEN ${between("a.gone_until", after)} ELSE -${between(after, "a.gone_until")} END END`;
  return {
    over,
    spent: `a.spent - ${FOLDED(after)} a.gone END`,
    doubt: `(SELECT coalesce(sum(d.amount), 0) FROM ${doubts} d
      WHERE d.account = a.account AND d.id IS DISTINCT FROM ${without} AND (d.ended_at IS NULL OR ${after} IS NULL OR d.ended_at > ${after}))`,
  };
}

/** The functions of a ledger: each step is one of them. */
export function ledgerFunctions(names: TableNames): string {
  return `${reserveFunction(names)}\n${endFunction(names)}\n${totalsFunction(names)}`;
}

/**
 * Takes `{ id, at, claims: [[account, amount, max, after]] }` and the text of the entry; returns `[number, spent, reserved, in doubt]`
 * of each claim that does not fit. An entry that is there with this text is reserved already: its answer was lost. Another one is taken
 * over, and is then in the state `again`: nobody knows what was done before.
 */
function reserveFunction(names: TableNames): string {
  const { accounts, doubts, entries, reserve } = names;
  const { spent, doubt, over } = sums(names, "c.after", "known.id");
  return `
CREATE OR REPLACE FUNCTION ${reserve}(request text, entry text) RETURNS text LANGUAGE plpgsql AS $function$
DECLARE
  wanted json := request;
  claimed text[] := ARRAY(SELECT c ->> 0 FROM json_array_elements(wanted -> 'claims') c ORDER BY 1);
  judged json;
  known ${entries};
BEGIN
  INSERT INTO ${accounts} (account) SELECT unnest(claimed) ON CONFLICT DO NOTHING;
  PERFORM FROM ${accounts} WHERE account = ANY (claimed) ORDER BY account FOR UPDATE;
  SELECT * INTO known FROM ${entries} WHERE id = wanted ->> 'id' FOR UPDATE;
  IF known.body = entry THEN RETURN '[]'; END IF;
  WITH claims AS (
    SELECT number, c ->> 0 AS account, (c ->> 1)::numeric AS amount, (c ->> 2)::numeric AS max, (c ->> 3)::float8 AS after
    FROM json_array_elements(wanted -> 'claims') WITH ORDINALITY AS listed (c, number)
  ), held AS (
    SELECT c.*, ${spent} AS spent, ${doubt} AS doubt, ${over} AS over, a.reserved
      - CASE WHEN known.state <> 'in-doubt' THEN coalesce((known.held ->> c.account)::numeric, 0) ELSE 0 END AS reserved
    FROM claims c JOIN ${accounts} a USING (account)
  ), found AS (
    SELECT *, spent - over AS counted, spent - over + reserved + doubt + amount AS total FROM held
  )
  SELECT json_agg(json_build_array(number, counted, reserved, doubt) ORDER BY number) INTO judged FROM found
  -- A fraction is rounded as a person adds it: to 15 digits.
  WHERE NOT coalesce(total <= max OR (total <> trunc(total) AND total::float8::numeric <= max), false);
  IF judged IS NOT NULL THEN RETURN judged; END IF;
  IF known.id IS NOT NULL THEN
    UPDATE ${accounts} a SET reserved = a.reserved - h.value::numeric FROM json_each_text(known.held) h
    WHERE a.account = h.key AND known.state <> 'in-doubt';
    DELETE FROM ${doubts} WHERE id = known.id;
    DELETE FROM ${entries} WHERE id = known.id;
  END IF;
  INSERT INTO ${entries} (id, state, reserved_at, ended_at, fades, held, body)
  SELECT wanted ->> 'id', CASE WHEN known.id IS NULL THEN 'reserved' ELSE 'again' END, (wanted ->> 'at')::float8, known.ended_at, coalesce(bool_and(c ->> 3 IS NOT NULL), false),
    coalesce(json_object_agg(c ->> 0, c -> 1), '{}'), entry
  FROM json_array_elements(wanted -> 'claims') c;
  WITH claims AS (
    SELECT c ->> 0 AS account, (c ->> 1)::numeric AS amount, (c ->> 3)::float8 AS after FROM json_array_elements(wanted -> 'claims') c
  )
  UPDATE ${accounts} a SET reserved = a.reserved + c.amount,
    gone = a.gone + CASE WHEN c.after > a.gone_until THEN ${over} ELSE 0 END,
    gone_until = greatest(a.gone_until, c.after)
  FROM claims c WHERE a.account = c.account;
  RETURN '[]';
END $function$;`;
}

/** Takes `{ id, state, at, spent: { account: amount } }`; does nothing to an entry that is not open. */
function endFunction({ accounts, entries, doubts, spent, end }: TableNames): string {
  return `
CREATE OR REPLACE FUNCTION ${end}(request text) RETURNS void LANGUAGE plpgsql AS $function$
DECLARE
  wanted json := request;
  moment float8 := wanted ->> 'at';
  ended text := wanted ->> 'state';
  entry ${entries};
BEGIN
  PERFORM FROM ${accounts} WHERE account IN (SELECT json_object_keys(wanted -> 'spent')) ORDER BY account FOR UPDATE;
  SELECT * INTO entry FROM ${entries} WHERE id = wanted ->> 'id' FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF ended = 'not-done' AND entry.state = 'again' THEN
    ended := 'in-doubt';
    moment := entry.ended_at;
  END IF;
  UPDATE ${accounts} a SET
    reserved = a.reserved - CASE WHEN entry.state <> 'in-doubt' THEN h.amount ELSE 0 END,
    spent = a.spent + h.paid,
    gone = a.gone + CASE WHEN moment <= a.gone_until THEN h.paid ELSE 0 END
  FROM (
    SELECT key, value::numeric AS amount,
      CASE WHEN ended = 'spent' THEN coalesce((wanted -> 'spent' ->> key)::numeric, value::numeric) ELSE 0 END AS paid
    FROM json_each_text(entry.held)
  ) h WHERE a.account = h.key;
  IF entry.state = 'in-doubt' THEN DELETE FROM ${doubts} WHERE id = entry.id; END IF;
  IF ended = 'in-doubt' THEN
    INSERT INTO ${doubts} (account, id, amount, ended_at)
    SELECT key, entry.id, value::numeric, moment FROM json_each_text(entry.held);
    UPDATE ${entries} SET state = ended, ended_at = moment, kept = clock_timestamp() WHERE id = entry.id;
    RETURN;
  END IF;
  IF ended = 'spent' THEN
    INSERT INTO ${spent} (account, at, amount)
    SELECT key, moment, coalesce((wanted -> 'spent' ->> key)::numeric, value::numeric) FROM json_each_text(entry.held);
  END IF;
  DELETE FROM ${entries} WHERE id = entry.id;
END $function$;`;
}

/** Takes an account, and the time after which spent amounts count; returns `[spent, reserved, in doubt]`. Changes nothing. */
function totalsFunction(names: TableNames): string {
  const { spent, doubt, over } = sums(names, "$2");
  return `
CREATE OR REPLACE FUNCTION ${names.totals}(text, float8) RETURNS text LANGUAGE sql STABLE AS $function$
  SELECT json_build_array(${spent} - ${over}, a.reserved, ${doubt})::text FROM ${names.accounts} a WHERE a.account = $1
$function$;`;
}
