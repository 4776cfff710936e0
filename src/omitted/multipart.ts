import { refuseOmitted } from "./refuse-omitted.ts";

refuseOmitted("multipart");
