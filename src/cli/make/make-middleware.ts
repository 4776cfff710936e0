import { type PartKind, sourcePath } from "./part.ts";

/** Template of a middleware class. */
export const middleware: PartKind = {
  suffix: "Middleware",
  description: "Writes a middleware.",
  create(name, project) {
    const className = `${name.pascal}Middleware`;
    const text = `import type { MiddlewareObject, Next, RequestContext } from "espalier";

/** Tells how long the rest of the way took, in milliseconds. */
export class ${className} implements MiddlewareObject {
  async handle(_ctx: RequestContext, next: Next): Promise<Response> {
    const startedAt = Date.now();
    // It always resolves to a response: an error further in has become one by then.
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
        `// or for routes that name it:\napp.middleware("${name.kebab}", new ${className}());`,
    };
  },
};
