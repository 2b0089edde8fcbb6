import { ToolContractError } from "@toolcontract/core";
import type { ReadOnly, Staged } from "../shared/index.ts";
import { readOnlyDatabase, type SqliteDatabase, stagedDatabase } from "./sqlite-handles.ts";

/** The savepoints of a connection. */
export interface Savepoints {
  readonly database: SqliteDatabase;
  /** The attempts that have one, the innermost last. */
  readonly open: Savepoint[];
  /** Whether attempts run inside a transaction that was begun before their guardrails were asked. */
  isHeld: boolean;
}

const knownSavepoints = new WeakMap<object, Savepoints>();

/** The savepoints of a connection, one register for all its stores: a name that two of them gave would undo the wrong attempt. */
export function savepointsOf(database: SqliteDatabase): Savepoints {
  const found = knownSavepoints.get(database) ?? { database, open: [], isHeld: false };
  knownSavepoints.set(database, found);
  return found;
}

/** Begins a transaction that can write; false if another process has one. */
export function tryToBegin(all: Savepoints): boolean {
  try {
    all.database.exec("BEGIN IMMEDIATE");
  } catch (thrown) {
    if (isBusy(thrown)) return false;
    throw thrown;
  }
  all.isHeld = true;
  return true;
}

/** Ends a transaction that the commit of an attempt has not ended. */
export function endHold(all: Savepoints): void {
  if (!all.isHeld) return;
  all.isHeld = false;
  all.database.exec("ROLLBACK");
}

/** `node:sqlite` gives the number of SQLite's code, better-sqlite3 its name. */
function isBusy(thrown: unknown): boolean {
  const { errcode, code } = Object(thrown) as {
    readonly errcode?: unknown;
    readonly code?: unknown;
  };
  if (typeof errcode === "number") return errcode % 256 === 5;
  return typeof code === "string" && code.startsWith("SQLITE_BUSY");
}

/** An attempt on a database: a savepoint, which begins with the first statement. */
export class Savepoint implements Staged<SqliteDatabase> {
  readonly state: SqliteDatabase;
  readonly #all: Savepoints;
  readonly #parent: Savepoint | undefined;
  readonly #mayTouch: boolean;
  #phase: "open" | "sealed" | "over" = "open";
  #name: string | undefined;
  #sealed: ReadOnly<SqliteDatabase> | undefined;

  constructor(all: Savepoints, parent: Savepoint | undefined, mayTouch: boolean) {
    this.#all = all;
    this.#parent = parent;
    this.#mayTouch = mayTouch;
    this.state = stagedDatabase(all.database, () => this.#use());
  }

  /** Whether the attempt is on this connection. */
  isOf(all: Savepoints): boolean {
    return this.#all === all;
  }

  touched(): readonly string[] {
    return this.#name === undefined ? [] : ["database"];
  }

  /** None: attempts on a connection never overlap. */
  conflicts(): readonly string[] {
    return [];
  }

  seal(): ReadOnly<SqliteDatabase> {
    if (this.#sealed !== undefined) return this.#sealed;
    this.#checkOpen();
    this.#endInner();
    this.#phase = "sealed";
    this.#sealed = readOnlyDatabase(this.#all.database, () => this.#checkReadable());
    return this.#sealed;
  }

  commit(): void {
    if (this.#phase === "open") this.seal();
    if (this.#phase === "over") throw closedError();
    if (this.#name !== undefined) {
      // If it fails, for example on a deferred constraint, the attempt can still be rolled back.
      const endsHold = this.#all.isHeld && this.#parent === undefined;
      this.#end(endsHold ? "COMMIT" : `RELEASE ${this.#name}`);
      if (endsHold) this.#all.isHeld = false;
      this.#all.open.pop();
    }
    this.#phase = "over";
  }

  rollback(): void {
    if (this.#phase === "over") return;
    this.#phase = "over";
    if (this.#name === undefined) return;
    this.#endInner();
    this.#all.open.pop();
    this.#end(`ROLLBACK TO ${this.#name}; RELEASE ${this.#name}`);
  }

  #use(): void {
    this.#checkOpen();
    if (!this.#mayTouch) {
      throw new ToolContractError(
        "State: the tool used the database, but its locks are []. Take it out of createGuardrails: { locks }.",
      );
    }
    this.#start();
    if (this.#all.open.at(-1) !== this) throw overlapping();
  }

  #start(): void {
    if (this.#name !== undefined) return;
    if (this.#parent !== undefined) {
      this.#parent.#checkOpen();
      this.#parent.#start();
    }
    const { open, database } = this.#all;
    if (open.at(-1) !== this.#parent) throw overlapping();
    const name = `toolcontract_${open.length + 1}`;
    database.exec(`SAVEPOINT ${name}`);
    open.push(this);
    this.#name = name;
  }

  /** An attempt that has staged nothing shows what the outer one has, or what is committed. */
  #checkReadable(): void {
    if (this.#name !== undefined) {
      if (this.#phase === "over") throw closedError();
    } else if (this.#parent !== undefined) this.#parent.#checkReadable();
    else if (this.#all.open.length > 0) throw overlapping();
  }

  /** Rolls back what was begun inside and left open. */
  #endInner(): void {
    const { open } = this.#all;
    if (!open.includes(this)) return;
    for (let inner = open.at(-1); inner !== this; inner = open.at(-1)) inner?.rollback();
  }

  #end(sql: string): void {
    try {
      this.#all.database.exec(sql);
    } catch (cause) {
      if (!(cause instanceof Error && cause.message.includes("no such savepoint"))) throw cause;
      throw new ToolContractError(
        "sqliteStore: the transaction ended inside the attempt, by a COMMIT or ROLLBACK among several statements or by OR ROLLBACK. " +
          "Leave that out, so that the attempt can be committed and rolled back as a whole.",
        { cause },
      );
    }
  }

  #checkOpen(): void {
    if (this.#phase !== "open") throw closedError();
  }
}

function closedError(): ToolContractError {
  return new ToolContractError(
    "State: the attempt is closed. Await everything that uses its state before the tool returns.",
  );
}

function overlapping(): ToolContractError {
  return new ToolContractError(
    "sqliteStore: another attempt is under way on this connection; attempts take turns, and an outer one waits for the inner one.",
  );
}
