import type { ModuleWorker } from "espalier";
import { createHostileApplication } from "./application.ts";

const silent = (): void => {};
const quiet = { debug: silent, info: silent, warn: silent, error: silent };

const worker: ModuleWorker = createHostileApplication(quiet).worker();
export default worker;
