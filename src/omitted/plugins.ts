import type * as full from "../plugins/plugin-manager.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full<App> = full.PluginManager<App>;

/** Refuses plugins and providers. */
export class PluginManager<App> implements Pick<Full<App>, keyof Full<App>> {
  registerPlugin(): never {
    return refuseOmitted("plugins");
  }

  registerProvider(): never {
    return refuseOmitted("plugins");
  }

  registerProviders(): never {
    return refuseOmitted("plugins");
  }

  async register(): Promise<void> {}

  async boot(): Promise<void> {}

  async ready(): Promise<void> {}

  async shutdown(): Promise<void> {}
}
