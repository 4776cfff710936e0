import type { InferConfigSection } from "../../../src/config/section-types.ts";
import type { appRules, mailDefaults, mailSchema } from "./config-sections.ts";

export interface Clock {
  now(): number;
}

export interface User {
  readonly id: string;
  readonly role: "reader" | "editor";
}

export interface Book {
  readonly id: string;
  readonly title: string;
  readonly addedAt: Date;
  readonly internalNote: string;
}

export interface Books {
  find(id: string): Book | undefined;
  add(title: string): Promise<Book>;
}

declare module "espalier" {
  interface Register {
    user: User;
    state: { tenant: string; startedAt: number };
    services: {
      "typed.clock": Clock;
      "typed.database": Promise<{ query(): string }>;
      books: Books;
    };
    middleware: { auth: { user: User }; tenant: { state: { tenant: string } }; limit: object };
    policies: { edit: []; role: ["reader" | "editor"]; free: string[] };
    routes: { home: object; "books.show": { id: string } };
    events: { "typed.created": { readonly id: string }; "typed.tick": undefined };
    broadcasts: { "typed.moved": { readonly at: Date }; "typed.cleared": undefined };
    jobs: { "book.added": { readonly id: string; readonly at: Date } };
    config: {
      "typed.app": InferConfigSection<typeof appRules>;
      "typed.mail": InferConfigSection<typeof mailSchema, typeof mailDefaults>;
      "typed.plain": { readonly host: string; readonly port?: number };
    };
  }

  // As a plugin declares them.
  interface PluginServices {
    "plugin.mailer": { send(): void };
  }
  interface PluginMiddleware {
    "plugin.trace": object;
  }
  interface PluginRoutes {
    "plugin.docs": object;
  }
  interface PluginEvents {
    "plugin.sent": { to: string };
  }
  interface PluginBroadcasts {
    "plugin.reload": { name: string };
  }
  interface PluginConfig {
    "plugin.smtp": { host: string };
  }
  interface PluginJobs {
    "plugin.send": { to: string };
  }
}
