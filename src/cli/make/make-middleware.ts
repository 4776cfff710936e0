import { type PartKind, sourcePath } from "./part.ts";

/** Template of a middleware class. */
export const middleware: PartKind = {
  suffix: "Middleware",
  description: "Creates a middleware.",
  create(name, project) {
    const className = `${name.pascal}Middleware`;
    const text = `import type { MiddlewareObject, Next, RequestContext } from "espalier";

/** Adds the header \`x-${name.kebab}\` with the duration of the request, in milliseconds. */
export class ${className} implements MiddlewareObject {
  async handle(_ctx: RequestContext, next: Next): Promise<Response> {
    const startedAt = Date.now();
    // Always resolves to a response: inner errors have been rendered already.
    const response = await next();
    response.headers.set("x-${name.kebab}", String(Date.now() - startedAt));
    return response;
  }
}
`;
    return {
      files: [{ path: sourcePath(project, "middleware", name), text }],
      next:
        `// for every request:\napp.use(new ${className}());\n` +
        `// or for individual routes, by name:\napp.middleware("${name.kebab}", new ${className}());`,
    };
  },
};
