import type { ModuleWorker } from "espalier";
import { createCorsApplication } from "./cors-application.ts";

const worker: ModuleWorker = createCorsApplication().worker();
export default worker;
