import type { InferConfigSection } from "../../src/config/section-types.ts";
import type { appRules, mailDefaults, mailSchema } from "./config-sections.ts";

export interface Clock {
  now(): number;
}

// Names that no other test uses: what is declared here is declared for the whole test program.
declare module "../../src/register.ts" {
  interface Register {
    services: { "typed.clock": Clock; "typed.database": Promise<{ query(): string }> };
    events: { "typed.created": { readonly id: string }; "typed.tick": undefined };
    config: {
      "typed.app": InferConfigSection<typeof appRules>;
      "typed.mail": InferConfigSection<typeof mailSchema, typeof mailDefaults>;
      "typed.plain": { readonly host: string; readonly port?: number };
    };
  }
}
