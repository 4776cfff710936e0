import type { ModuleWorker } from "espalier";
import { createEverything } from "./application.ts";

// Here, and not in a request: workerd throws at what it does not allow.
const worker: ModuleWorker = createEverything().worker();
export default worker;
