import { createAuthApplication } from "./application.ts";

export default createAuthApplication().worker();
