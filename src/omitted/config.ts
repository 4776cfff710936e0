import type * as full from "../config/configuration.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full = full.Configuration;

/** Refuses sections of configuration. */
export class Configuration implements Pick<Full, keyof Full> {
  define(): never {
    return refuseOmitted("config");
  }

  get(): never {
    return refuseOmitted("config");
  }

  validateAll(): readonly never[] {
    return [];
  }
}
