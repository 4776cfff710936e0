import type { NewTodo, Todo, TodoChanges, Todos } from "./todos.ts";

/** Store of todos in memory, not persistent. */
export class MemoryTodos implements Todos {
  readonly #todos = new Map<number, Todo>();
  #lastId = 0;

  async list(): Promise<Todo[]> {
    return [...this.#todos.values()];
  }

  async find(id: number): Promise<Todo | undefined> {
    return this.#todos.get(id);
  }

  async add(fields: NewTodo): Promise<Todo> {
    this.#lastId += 1;
    const todo = { id: this.#lastId, ...fields };
    this.#todos.set(todo.id, todo);
    return todo;
  }

  async change(id: number, changes: TodoChanges): Promise<Todo | undefined> {
    const todo = this.#todos.get(id);
    if (todo === undefined) return undefined;
    const changed = { ...todo, ...changes };
    this.#todos.set(id, changed);
    return changed;
  }

  async remove(id: number): Promise<boolean> {
    return this.#todos.delete(id);
  }

  async clear(): Promise<void> {
    this.#todos.clear();
  }
}
