import { createSocketApplication } from "./application.ts";

export default createSocketApplication().worker();
