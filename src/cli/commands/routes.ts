import { type CommandDef, defineCommand } from "citty";
import colors from "picocolors";
import type { RouteRecord } from "../../routing/route.ts";
import { bootProblem, loadApplication, release } from "../loading/load-application.ts";
import { print, printNote } from "../output.ts";
import { renderTable } from "../table.ts";

const args = {
  app: {
    type: "positional",
    required: false,
    description: "File that exports the application (default: detected).",
  },
  json: { type: "boolean", description: "Prints JSON instead of a table." },
} as const;

/** `espalier routes`: lists every route with its middleware and controller. */
export const routesCommand: CommandDef<typeof args> = defineCommand({
  meta: {
    name: "routes",
    description: "Lists all routes: method, path, name, middleware, controller.",
  },
  args,
  async run({ args: { app, json } }) {
    const { application } = await loadApplication(process.cwd(), app);
    const problem = await bootProblem(application);
    const { routes, globalMiddleware } = application.inspect();
    await print(
      json === true
        ? JSON.stringify(routes.map(describe), null, 2)
        : renderRoutes(routes, globalMiddleware),
    );
    if (problem !== undefined) {
      printNote(
        `${colors.yellow("Warning:")} ${problem}\nListing only the routes registered before boot.`,
      );
    }
    await release(application);
  },
});

interface ListedRoute {
  readonly method: string;
  readonly path: string;
  readonly name: string | null;
  readonly middleware: readonly string[];
  /** The name of the class or function; null if it is anonymous. */
  readonly controller: string | null;
  /** `true` for infrastructure routes, such as health checks. */
  readonly internal: boolean;
}

function describe(route: RouteRecord): ListedRoute {
  return {
    method: route.method,
    path: route.pattern,
    name: route.name ?? null,
    middleware: route.middleware.map(nameOf),
    controller: nameOfHandler(route.handler.name),
    internal: route.internal,
  };
}

/** Returns null for `handler`: an inline function gets the name of its property, which is meaningless. */
function nameOfHandler(name: string): string | null {
  return name === "" || name === "handler" ? null : name;
}

function renderRoutes(routes: readonly RouteRecord[], globalMiddleware: readonly string[]): string {
  if (routes.length === 0) return "The application has no routes.";
  const rows = routes
    .map(describe)
    .map((route) => [
      route.method,
      route.path,
      route.name ?? "",
      route.middleware.join(", "),
      route.controller ?? "(function)",
    ]);
  const count = routes.length === 1 ? "1 route" : `${routes.length} routes`;
  const before =
    globalMiddleware.length === 0 ? "" : `; global middleware: ${globalMiddleware.join(", ")}`;
  const table = renderTable(["METHOD", "PATH", "NAME", "MIDDLEWARE", "CONTROLLER"], rows);
  return `${table}\n\n${colors.dim(`${count}${before}`)}`;
}

/** Returns the alias of named middleware, or the class or function name. */
function nameOf(middleware: RouteRecord["middleware"][number]): string {
  if (typeof middleware === "string") return middleware;
  const name = typeof middleware === "function" ? middleware.name : middleware.constructor.name;
  return name === "" || name === "Object" ? "(inline)" : name;
}
