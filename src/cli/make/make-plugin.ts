import { type PartKind, sourcePath } from "./part.ts";

/** Template of a plugin with an option, to be published as a package. */
export const plugin: PartKind = {
  suffix: "Plugin",
  description: "Creates a plugin.",
  create(name, project) {
    const text = `import type { Application, Plugin } from "espalier";

export interface ${name.pascal}Options {
  /** Default: "${name.kebab}". */
  readonly label?: string;
}

export const ${name.camel}Plugin: Plugin<Application, ${name.pascal}Options> = {
  name: "${name.kebab}",

  /** Registers services, middleware and routes. */
  register(app, options) {
    app.instance("${name.camel}.label", options.label ?? "${name.kebab}");
  },

  /** Initialises what depends on other services. */
  boot(app) {
    app.logger.info({ message: "${name.pascal} is ready", label: app.resolve("${name.camel}.label") });
  },

  /** Releases resources when the application stops. */
  shutdown() {},
};
`;
    return {
      files: [{ path: sourcePath(project, "plugins", name), text }],
      next: `app.registerPlugin(${name.camel}Plugin, { label: "mine" });`,
    };
  },
};
