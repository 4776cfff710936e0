import type * as full from "../application/capabilities/cache.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full = full.CacheCapability;

/** Refuses the cache. */
export class CacheCapability implements Pick<Full, keyof Full> {
  readonly isChosen = false;

  get cache(): never {
    return refuseOmitted("cache");
  }

  use(): never {
    return refuseOmitted("cache");
  }
}
