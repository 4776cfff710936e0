// Beside the store, which the controllers import: so the types of the routes are known in the client as well.
declare module "espalier" {
  interface Register {
    services: { todos: Todos };
  }
}

/** A todo item. */
export interface Todo {
  readonly id: number;
  readonly title: string;
  readonly completed: boolean;
  /** Position in the client's list; undefined until a client sets it. */
  readonly order?: number | undefined;
}

export type NewTodo = Omit<Todo, "id">;
export type TodoChanges = Partial<NewTodo>;

/** Store of todos. */
export interface Todos {
  /** Returns all todos, oldest first. */
  list(): Promise<Todo[]>;
  find(id: number): Promise<Todo | undefined>;
  add(todo: NewTodo): Promise<Todo>;
  /** Updates the given fields; returns undefined if the todo does not exist. */
  change(id: number, changes: TodoChanges): Promise<Todo | undefined>;
  /** Deletes a todo; returns false if it does not exist. */
  remove(id: number): Promise<boolean>;
  clear(): Promise<void>;
}
