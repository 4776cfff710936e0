/** Something to do. */
export interface Todo {
  readonly id: number;
  readonly title: string;
  readonly completed: boolean;
  /** Where clients show it; undefined until one says so. */
  readonly order?: number | undefined;
}

export type NewTodo = Omit<Todo, "id">;
export type TodoChanges = Partial<NewTodo>;

/** Where todos are kept. */
export interface Todos {
  /** All of them, the oldest first. */
  list(): Promise<Todo[]>;
  find(id: number): Promise<Todo | undefined>;
  add(todo: NewTodo): Promise<Todo>;
  /** Changes what is given; undefined when there is no such todo. */
  change(id: number, changes: TodoChanges): Promise<Todo | undefined>;
  /** Whether it was there. */
  remove(id: number): Promise<boolean>;
  clear(): Promise<void>;
}
