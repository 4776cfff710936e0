import type * as full from "../application/capabilities/openapi.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

type Full = full.OpenApiCapability;

/** Refuses the OpenAPI document. */
export class OpenApiCapability implements Pick<Full, keyof Full> {
  expose(): never {
    return refuseOmitted("openapi");
  }

  async document(): Promise<never> {
    return refuseOmitted("openapi");
  }
}
