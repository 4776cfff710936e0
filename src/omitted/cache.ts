import { refuseOmitted } from "./refuse-omitted.ts";

refuseOmitted("cache");
