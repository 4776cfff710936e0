import { Controller, HttpError, type RequestContext, rules } from "espalier";
import type { Todo } from "./todos.ts";

const title = { type: "string", pattern: /\S/, max: 500 } as const;
const order = { type: "integer" } as const;

const newTodo = rules({
  title: { ...title, required: true },
  completed: { type: "boolean", default: false },
  order,
});

const changes = rules({ title, completed: { type: "boolean" }, order });

const byId = rules({ id: { type: "integer", required: true } });

export class ListTodos extends Controller.for({ inject: ["todos"] }) {
  async handle(ctx: RequestContext) {
    const todos = await this.services.todos.list();
    return this.json(todos.map((todo) => todoView(ctx, todo)));
  }
}

export class CreateTodo extends Controller.for({ inject: ["todos"], body: newTodo }) {
  async handle(ctx: RequestContext) {
    const view = todoView(ctx, await this.services.todos.add(this.body));
    return this.json(view, 201, { location: view.url });
  }
}

export class ClearTodos extends Controller.for({ inject: ["todos"] }) {
  async handle() {
    await this.services.todos.clear();
    return this.noContent();
  }
}

export class ShowTodo extends Controller.for({ inject: ["todos"], params: byId }) {
  async handle(ctx: RequestContext) {
    const { id } = this.params;
    const todo = (await this.services.todos.find(id)) ?? notFound(id);
    return this.json(todoView(ctx, todo));
  }
}

export class ChangeTodo extends Controller.for({ inject: ["todos"], params: byId, body: changes }) {
  async handle(ctx: RequestContext) {
    const { id } = this.params;
    const todo = (await this.services.todos.change(id, this.body)) ?? notFound(id);
    return this.json(todoView(ctx, todo));
  }
}

export class RemoveTodo extends Controller.for({ inject: ["todos"], params: byId }) {
  async handle() {
    const { id } = this.params;
    if (!(await this.services.todos.remove(id))) notFound(id);
    return this.noContent();
  }
}

function notFound(id: number): never {
  throw new HttpError(404, `Todo ${id} not found.`);
}

/** Returns the JSON representation of a todo, with its absolute `url`. */
function todoView(ctx: RequestContext, todo: Todo) {
  const path = ctx.app.getRouter().url("todos.show", { id: todo.id });
  return { ...todo, url: new URL(path, ctx.url).href };
}
