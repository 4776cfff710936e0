import { env } from "cloudflare:workers";
import type { ModuleWorker } from "espalier";
import { createBrowserApplication } from "./application.ts";

const { PAGE_ORIGIN } = env as { readonly PAGE_ORIGIN: string };
const worker: ModuleWorker = createBrowserApplication(PAGE_ORIGIN).worker();
export default worker;
