import type { ModuleWorker } from "espalier";
import { createCostApplication } from "./application.ts";

const worker: ModuleWorker = createCostApplication().worker();
export default worker;
