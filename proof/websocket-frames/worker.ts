import type { ModuleWorker } from "espalier";
import { createEchoApplication } from "./application.ts";

const worker: ModuleWorker = createEchoApplication().worker();
export default worker;
