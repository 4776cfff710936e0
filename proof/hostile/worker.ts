import { json, type ModuleWorker } from "espalier";
import { createHostileApplication } from "./application.ts";
import { wasmPages } from "./wasm-memories.ts";

const silent = (): void => {};
const app = createHostileApplication({ debug: silent, info: silent, warn: silent, error: silent });
app.getRouter().get("/process", () => json({ wasmPages: wasmPages() }));

const worker: ModuleWorker = app.worker();
export default worker;
