import type { Sql } from "./sql.ts";

/** What the repositories need of a database: SQLite's SQL, wherever it runs. */
export interface SqlDatabase {
  /**
   * Runs one statement and gives its rows, also those of `RETURNING`.
   *
   * @throws UniqueViolation for a value that may be there only once
   */
  all<Row extends object>(statement: Sql): Promise<Row[]>;
  /**
   * Runs statements in one transaction and one trip, and gives the rows of each. When one fails, none has
   * happened.
   *
   * @throws UniqueViolation for a value that may be there only once
   */
  batch<Results extends readonly object[][]>(statements: readonly Sql[]): Promise<Results>;
}

/** A row was refused, because another has the same value in a column where each is unique. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
  /** `users.email` */
  readonly column: string;

  constructor(column: string, cause: unknown) {
    super(`Another row has the same ${column}.`, { cause });
    this.column = column;
  }
}

/** Runs what a driver does. SQLite tells only in its message which column refused a row. */
export async function withViolations<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const column = /UNIQUE constraint failed: ([\w.]+)/.exec(message)?.[1];
    throw column === undefined ? error : new UniqueViolation(column, error);
  }
}
