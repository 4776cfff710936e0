import type { ModuleWorker } from "espalier";
import { createHostileTarget } from "./application.ts";

const worker: ModuleWorker = createHostileTarget().worker();
export default worker;
