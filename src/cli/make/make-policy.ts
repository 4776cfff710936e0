import { type PartKind, sourcePath } from "./part.ts";

/** Template of a policy that allows users access to their own resource only. */
export const policy: PartKind = {
  suffix: "Policy",
  description: "Creates a policy for `can:<name>`.",
  create(name, project) {
    const text = `import type { Policy } from "espalier";

/** Allows users access to their own \`:id\`. Only \`true\` allows; not called without a user. */
export const ${name.camel}Policy: Policy = (ctx) => {
  const user: { readonly id?: unknown } = Object(ctx.user);
  return typeof user.id === "string" && user.id === ctx.params["id"];
};
`;
    return {
      files: [{ path: sourcePath(project, "policies", name), text }],
      next:
        `app.definePolicy("${name.kebab}", ${name.camel}Policy);\n` +
        `router.put("/things/:id", UpdateThing, { middleware: ["auth", "can:${name.kebab}"] });`,
    };
  },
};
