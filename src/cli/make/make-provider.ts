import { type PartKind, sourcePath } from "./part.ts";

/** Template of a service provider, with a service of the same name. */
export const provider: PartKind = {
  suffix: "Provider",
  description: "Writes a service provider.",
  create(name, project) {
    const service = `${name.pascal}Service`;
    const className = `${name.pascal}Provider`;
    const text = `import type { Application, Provider } from "espalier";

/** What \`ctx.resolve("${name.camel}")\` gives. */
export class ${service} {
  isOpen = false;
}

export class ${className} implements Provider<Application> {
  /** Adds services. Those of other providers cannot be relied on yet. */
  register(app: Application): void {
    app.singleton("${name.camel}", () => new ${service}());
  }

  /** Starts what needs services of others, once all are registered. */
  async boot(app: Application): Promise<void> {
    const service = await app.resolve<${service}>("${name.camel}");
    service.isOpen = true;
  }

  /** Releases what was taken, when the application stops. */
  async shutdown(app: Application): Promise<void> {
    const service = await app.resolve<${service}>("${name.camel}");
    service.isOpen = false;
  }
}
`;
    return {
      files: [{ path: sourcePath(project, "providers", name), text }],
      next:
        `app.registerProvider(${className});\n\n` +
        "// and, where the application declares its types:\n" +
        `declare module "espalier" {\n` +
        "  interface Register { services: AppServices }\n" +
        `  interface AppServices { ${name.camel}: ${service} }\n}`,
    };
  },
};
