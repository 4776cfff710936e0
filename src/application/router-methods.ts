import { EspalierError } from "../errors.ts";
import { rejectMethods } from "../util/rejected-methods.ts";

const names = ["get", "post", "put", "patch", "delete", "head", "options", "all", "group"] as const;

/** Makes methods of the router, which the application has in other frameworks, throw an error that names it. */
export function rejectRouterMethods(prototype: object): void {
  const replacements = names.map((name) => [name, `app.getRouter().${name}()`] as const);
  rejectMethods(prototype, Object.fromEntries(replacements), (name, replacement) => {
    const message = `The application has no method "${name}". Use ${replacement}.`;
    return new EspalierError("ERR_APPLICATION_UNKNOWN_METHOD", message);
  });
}
