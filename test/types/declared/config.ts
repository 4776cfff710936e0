import { expectTypeOf } from "vitest";
import type { Configuration } from "../../../src/config/configuration.ts";
import type { InferConfigSection } from "../../../src/config/section-types.ts";
import type { appRules, mailDefaults, mailSchema } from "./config-sections.ts";
import "./register.ts";

declare const configuration: Configuration;

// What a section's rules, schema and defaults say of its values.
declare const app: InferConfigSection<typeof appRules>;
expectTypeOf(app.port).toEqualTypeOf<number>();
expectTypeOf(app.name).toEqualTypeOf<string | undefined>();
expectTypeOf(app.tags).toEqualTypeOf<readonly unknown[]>();
expectTypeOf(app.anything).toEqualTypeOf<unknown>();

declare const mail: InferConfigSection<typeof mailSchema, typeof mailDefaults>;
expectTypeOf(mail.host).toEqualTypeOf<string>();
expectTypeOf(mail.retries).toEqualTypeOf<number | undefined>();
expectTypeOf(mail.secure).toEqualTypeOf<boolean | undefined>();
expectTypeOf(mail.from).toEqualTypeOf<string>();
// @ts-expect-error a section is read only
mail.host = "other";

// Declared names are typed.
expectTypeOf(configuration.get("typed.app").port).toEqualTypeOf<number>();
expectTypeOf(configuration.get("typed.mail").from).toEqualTypeOf<string>();
expectTypeOf(configuration.get("typed.plain").port).toEqualTypeOf<number | undefined>();
configuration.define("typed.plain", { schema: { host: String, port: Number } });
configuration.define("typed.plain", { defaults: { host: "localhost" }, envPrefix: "X_" });
configuration.define("typed.plain", { host: { required: true } }, { source: { host: "a" } });
// @ts-expect-error a string is not read with Number
configuration.define("typed.plain", { schema: { host: Number } });
// @ts-expect-error the default of a string is a string
configuration.define("typed.plain", { defaults: { host: 1 } });
// @ts-expect-error the section has no such field
configuration.define("typed.plain", { schema: { hots: String } });

// Other names keep the loose types of the specification.
interface Database {
  readonly url: string;
}
expectTypeOf(configuration.get("other")).toEqualTypeOf<Readonly<Record<string, unknown>>>();
expectTypeOf(configuration.get<Database>("database")).toEqualTypeOf<Database>();
configuration.define("other", { schema: { any: String, thing: Number }, defaults: { thing: 1 } });
configuration.define("other", { port: { type: "number", min: 1 } });
configuration.define("other", { port: { type: "number" } }, { source: {}, envPrefix: "X_" });
configuration.define<Database>("database", { schema: { url: String }, defaults: { url: "" } });
configuration.define<Database>("database", { url: { type: "string" } }, { source: {} });
// @ts-expect-error a string is not read with Number
configuration.define<Database>("database", { schema: { url: Number } });
// @ts-expect-error an unknown type
configuration.define("other", { schema: { port: { type: "numeric" } } });
// @ts-expect-error a date has no constructor here
configuration.define("other", { schema: { since: Date } });
