import type { Jobs } from "espalier";
import { CamelCasePlugin, type CompiledQuery, type Dialect, Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A job to enqueue, as `enqueueMany` takes it. */
export type NewJob = {
  [Name in keyof Jobs]: { readonly name: Name; readonly payload: Jobs[Name]; readonly id?: string };
}[keyof Jobs];

/** The database of the helpdesk. */
export interface Database {
  /** Queries outside of a transaction. */
  readonly query: Kysely<Tables>;
  /**
   * Runs statements in one transaction, then enqueues jobs. On PostgreSQL the jobs are part of the transaction;
   * elsewhere an application that ends in between has stored the statements without their jobs.
   */
  commit(statements: readonly CompiledQuery[], jobs: readonly NewJob[]): Promise<void>;
}

/** Creates the query builder for a dialect; columns are in snake case in the database. */
export function createQuery(dialect: Dialect): Kysely<Tables> {
  return new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] });
}
