import type { D1Database } from "@cloudflare/workers-types";
import type { NewTodo, Todo, TodoChanges, Todos } from "./todos.ts";

interface Row {
  readonly id: number;
  readonly title: string;
  readonly completed: 0 | 1;
  readonly position: number | null;
}

/** Store of todos in D1, in the table of `migrations/0001_todos.sql`. */
export class D1Todos implements Todos {
  readonly #database: D1Database;

  constructor(database: D1Database) {
    this.#database = database;
  }

  async list(): Promise<Todo[]> {
    const sql = "SELECT * FROM todos ORDER BY id";
    const { results } = await this.#database.prepare(sql).all<Row>();
    return results.map(fromRow);
  }

  async find(id: number): Promise<Todo | undefined> {
    const sql = "SELECT * FROM todos WHERE id = ?";
    return fromRowOrNull(await this.#database.prepare(sql).bind(id).first<Row>());
  }

  async add({ title, completed, order }: NewTodo): Promise<Todo> {
    const sql = "INSERT INTO todos (title, completed, position) VALUES (?, ?, ?) RETURNING *";
    const values = [title, Number(completed), order ?? null];
    const row = await this.#database
      .prepare(sql)
      .bind(...values)
      .first<Row>();
    if (row === null) throw new Error("The database returned no row for a new todo.");
    return fromRow(row);
  }

  async change(id: number, changes: TodoChanges): Promise<Todo | undefined> {
    const { title, completed, order } = changes;
    // A single statement, so that concurrent updates do not overwrite each other.
    const sql =
      "UPDATE todos SET title = coalesce(?, title), completed = coalesce(?, completed), " +
      "position = coalesce(?, position) WHERE id = ? RETURNING *";
    const flag = completed === undefined ? null : Number(completed);
    const values = [title ?? null, flag, order ?? null, id];
    return fromRowOrNull(
      await this.#database
        .prepare(sql)
        .bind(...values)
        .first<Row>(),
    );
  }

  async remove(id: number): Promise<boolean> {
    const sql = "DELETE FROM todos WHERE id = ?";
    const { meta } = await this.#database.prepare(sql).bind(id).run();
    return meta.changes > 0;
  }

  async clear(): Promise<void> {
    await this.#database.prepare("DELETE FROM todos").run();
  }
}

function fromRowOrNull(row: Row | null): Todo | undefined {
  return row === null ? undefined : fromRow(row);
}

function fromRow({ id, title, completed, position }: Row): Todo {
  return { id, title, completed: completed === 1, order: position ?? undefined };
}
