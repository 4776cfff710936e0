import type { Application } from "../../application/application.ts";
import { CommandError } from "../command-error.ts";
import type { ModuleExports } from "./import-entry.ts";

/**
 * Finds the application among a module's exports: `app`, the default export, the application of a Worker
 * (`export default app.worker()`), the only other export that is an application, or the return value of the
 * only `create…` function if it takes no arguments.
 *
 * @param file the module, as shown in messages
 * @throws CommandError when none is found, or several are exported under other names
 */
export async function findApplication(exports: ModuleExports, file: string): Promise<Application> {
  const { app, default: main, ...others } = exports;
  const ofWorker =
    typeof main === "object" && main !== null ? Reflect.get(main, "application") : undefined;
  const found = [app, main, ofWorker].find(isApplication);
  if (found !== undefined) return found;
  const named = Object.entries(others).filter(([, value]) => isApplication(value));
  if (named.length > 1) {
    const names = named.map(([name]) => name).join(", ");
    throw new CommandError(
      `${file} exports several applications: ${names}. Export one of them as "app".`,
    );
  }
  const only = named[0]?.[1];
  return isApplication(only) ? only : makeApplication(exports, file);
}

async function makeApplication(exports: ModuleExports, file: string): Promise<Application> {
  const makers = Object.entries(exports).filter(
    ([name, value]) => typeof value === "function" && /^create[A-Z]/.test(name),
  );
  const [name, make] = makers[0] ?? [];
  if (makers.length === 1 && typeof make === "function" && make.length === 0) {
    const made: unknown = await make();
    if (isApplication(made)) return made;
    throw new CommandError(
      `${file} exports no application, and ${name}() does not return one. ${needed}`,
    );
  }
  const names = Object.keys(exports);
  const there = names.length === 0 ? "It exports nothing" : `It exports ${names.join(", ")}`;
  throw new CommandError(`${file} exports no application. ${there}. ${needed}`);
}

const needed =
  "Use `export const app = new Application()`, `export default app.worker()`, or export one " +
  "function `createApp()` that returns it.";

/**
 * Identifies an application by its methods, since it may come from another copy of the package.
 *
 * @throws CommandError when that copy is too old to be inspected
 */
function isApplication(value: unknown): value is Application {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string): boolean => typeof Reflect.get(value, name) === "function";
  if (!["getRouter", "fetch", "boot", "worker"].every(has)) return false;
  if (has("inspect")) return true;
  throw new CommandError(
    "The project's version of espalier does not support inspection. " +
      "Update it: npm install espalier@latest.",
  );
}
