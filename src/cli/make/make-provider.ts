import { type PartKind, sourcePath } from "./part.ts";

/** Template of a service provider, with a service of the same name. */
export const provider: PartKind = {
  suffix: "Provider",
  description: "Creates a service provider.",
  create(name, project) {
    const service = `${name.pascal}Service`;
    const className = `${name.pascal}Provider`;
    const text = `import type { Application, Provider } from "espalier";

/** The service that \`ctx.resolve("${name.camel}")\` returns. */
export class ${service} {
  isOpen = false;
}

export class ${className} implements Provider<Application> {
  /** Registers services. Services of other providers may not be registered yet. */
  register(app: Application): void {
    app.singleton("${name.camel}", () => new ${service}());
  }

  /** Initialises what depends on other services, once all are registered. */
  async boot(app: Application): Promise<void> {
    const service = await app.resolve<${service}>("${name.camel}");
    service.isOpen = true;
  }

  /** Releases resources when the application stops. */
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
        "// and, in the application's type declarations:\n" +
        `declare module "espalier" {\n` +
        "  interface Register { services: AppServices }\n" +
        `  interface AppServices { ${name.camel}: ${service} }\n}`,
    };
  },
};
