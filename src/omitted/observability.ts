import type * as full from "../middleware/request-observability-options.ts";
import { refuseOmitted } from "./refuse-omitted.ts";

/** Refuses request observability. */
export const checkRequestObservabilityOptions: typeof full.checkRequestObservabilityOptions = () =>
  refuseOmitted("observability");
