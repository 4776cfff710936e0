import type { ModuleWorker } from "espalier";
import { createReportedApplication } from "./application.ts";

const worker: ModuleWorker = createReportedApplication(() => "").worker();
export default worker;
