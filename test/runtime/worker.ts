import { createRuntimeApplication } from "./application.ts";

export default createRuntimeApplication().worker();
