import { expectTypeOf } from "vitest";
import type { Container } from "../../../src/container/container.ts";
import type { Plugin, Provider } from "../../../src/plugins/plugin.ts";
import type { PluginManager } from "../../../src/plugins/plugin-manager.ts";
import type { Clock } from "./register.ts";

declare const container: Container;

// Declared names.
expectTypeOf(container.resolve("typed.clock")).toEqualTypeOf<Clock>();
expectTypeOf(container.createScope().resolve("typed.clock")).toEqualTypeOf<Clock>();
expectTypeOf(container.resolve("typed.database")).toEqualTypeOf<Promise<{ query(): string }>>();
container.singleton("typed.clock", () => ({ now: () => 0 }));
container.singleton("typed.database", async ({ resolve }) => {
  expectTypeOf(resolve("typed.clock")).toEqualTypeOf<Clock>();
  return { query: () => `${resolve("typed.clock").now()}` };
});
container.instance("typed.clock", { now: () => 0 });
// @ts-expect-error the factory makes something else
container.singleton("typed.clock", () => ({ today: 0 }));
// @ts-expect-error the service is declared as a promise
container.scoped("typed.database", () => ({ query: () => "" }));
// @ts-expect-error the value is something else
container.instance("typed.clock", 1);

// Other names.
expectTypeOf(container.resolve("users")).toEqualTypeOf<unknown>();
expectTypeOf(container.resolve<Clock>("users")).toEqualTypeOf<Clock>();
container.bind("users", (c) => [c.resolve("books"), c.has("b")]);
declare const name: string;
container.singleton(name, async () => 1);
// @ts-expect-error a factory is a function
container.singleton("users", {});

// Plugins and their options.
interface App {
  readonly title: string;
}
declare const host: PluginManager<App>;
const mail: Plugin<App, { readonly from: string }> = {
  name: "mail",
  register: (app, options) => `${app.title}${options.from}`,
  boot: (app, options) => [app.title, options.from],
};
host.registerPlugin(mail, { from: "noreply@example.test" });
// @ts-expect-error the options are required
host.registerPlugin(mail);
// @ts-expect-error the option is a string
host.registerPlugin(mail, { from: 1 });
const metrics: Plugin<App, { readonly everyMs?: number }> = { name: "metrics", boot: () => 0 };
host.registerPlugin(metrics);
host.registerPlugin(metrics, { everyMs: 1 });
host.registerPlugin({ name: "bare", register: (app) => app.title });
host.registerPlugin({ name: "any", register: () => 0 }, { whatever: 1 });
host.registerPlugin(async (app) => app.title);
host.registerPlugin((app: App, options: { a: number }) => [app, options.a], { a: 1 });
// @ts-expect-error the function needs options
host.registerPlugin((app: App, options: { a: number }) => [app, options.a]);

class MailProvider implements Provider<App> {
  register(app: App): string {
    return app.title;
  }
}
host.registerProvider(MailProvider);
host.registerProviders([MailProvider, new MailProvider(), { register: () => undefined }]);
// @ts-expect-error a provider registers something
host.registerProvider({ boot: () => undefined });
