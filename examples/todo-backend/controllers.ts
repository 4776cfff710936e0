import { Controller, HttpError, type RequestContext, type RuleMap } from "espalier";
import type { Todo, Todos } from "./todos.ts";

const title = { type: "string", pattern: /\S/, max: 500 } as const;
const order = { type: "integer" } as const;

const newTodo = {
  title: { ...title, required: true },
  completed: { type: "boolean", default: false },
  order,
} as const satisfies RuleMap;

const changes = { title, completed: { type: "boolean" }, order } as const satisfies RuleMap;

const byId = { id: { type: "integer", required: true } } as const satisfies RuleMap;

export class ListTodos extends Controller {
  static readonly inject = ["todos"];
  readonly #todos: Todos;

  constructor(todos: Todos) {
    super();
    this.#todos = todos;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const todos = await this.#todos.list();
    return this.json(todos.map((todo) => todoView(ctx, todo)));
  }
}

export class CreateTodo extends Controller.for({ body: newTodo }) {
  static readonly inject = ["todos"];
  readonly #todos: Todos;

  constructor(todos: Todos) {
    super();
    this.#todos = todos;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const view = todoView(ctx, await this.#todos.add(this.body));
    const response = this.json(view, 201);
    response.headers.set("location", view.url);
    return response;
  }
}

export class ClearTodos extends Controller {
  static readonly inject = ["todos"];
  readonly #todos: Todos;

  constructor(todos: Todos) {
    super();
    this.#todos = todos;
  }

  async handle(): Promise<Response> {
    await this.#todos.clear();
    return this.noContent();
  }
}

export class ShowTodo extends Controller.for({ params: byId }) {
  static readonly inject = ["todos"];
  readonly #todos: Todos;

  constructor(todos: Todos) {
    super();
    this.#todos = todos;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const { id } = this.params;
    return this.json(todoView(ctx, (await this.#todos.find(id)) ?? notFound(id)));
  }
}

export class ChangeTodo extends Controller.for({ params: byId, body: changes }) {
  static readonly inject = ["todos"];
  readonly #todos: Todos;

  constructor(todos: Todos) {
    super();
    this.#todos = todos;
  }

  async handle(ctx: RequestContext): Promise<Response> {
    const { id } = this.params;
    return this.json(todoView(ctx, (await this.#todos.change(id, this.body)) ?? notFound(id)));
  }
}

export class RemoveTodo extends Controller.for({ params: byId }) {
  static readonly inject = ["todos"];
  readonly #todos: Todos;

  constructor(todos: Todos) {
    super();
    this.#todos = todos;
  }

  async handle(): Promise<Response> {
    const { id } = this.params;
    if (!(await this.#todos.remove(id))) notFound(id);
    return this.noContent();
  }
}

function notFound(id: number): never {
  throw new HttpError(404, `Todo ${id} not found.`);
}

/** Returns the JSON representation of a todo, with its absolute `url`. */
function todoView(ctx: RequestContext, todo: Todo): Todo & { readonly url: string } {
  const path = ctx.app.getRouter().url("todos.show", { id: todo.id });
  return { ...todo, url: new URL(path, ctx.url).href };
}
