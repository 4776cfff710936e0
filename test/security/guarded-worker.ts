import type { ModuleWorker } from "espalier";
import { createGuardedApplication } from "./guarded.ts";

const worker: ModuleWorker = createGuardedApplication().worker();
export default worker;
