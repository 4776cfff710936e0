import type { ModuleWorker } from "espalier";
import { createSearchApplication } from "./application.ts";

const worker: ModuleWorker = createSearchApplication().worker();
export default worker;
