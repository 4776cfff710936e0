import type { Sql } from "./sql.ts";

/** Interface of a database with SQLite's SQL dialect. */
export interface SqlDatabase {
  /**
   * Runs one statement and returns its rows, including those of `RETURNING`.
   *
   * @throws UniqueViolation for a value that may be there only once
   */
  all<Row extends object>(statement: Sql): Promise<Row[]>;
  /**
   * Runs statements in one transaction and one round trip, and returns the rows of each. If one fails, all
   * are rolled back.
   *
   * @throws UniqueViolation for a value that may be there only once
   */
  batch<Results extends readonly object[][]>(statements: readonly Sql[]): Promise<Results>;
}

/** Thrown for a row that violates a unique constraint. */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
  /** `users.email` */
  readonly column: string;

  constructor(column: string, cause: unknown) {
    super(`Another row has the same ${column}.`, { cause });
    this.column = column;
  }
}

/** Runs a driver's call and converts its error. SQLite names the column only in the error's message. */
export async function withViolations<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const column = /UNIQUE constraint failed: ([\w.]+)/.exec(message)?.[1];
    throw column === undefined ? error : new UniqueViolation(column, error);
  }
}
