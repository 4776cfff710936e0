import { createParityApplication } from "./application.ts";

export default createParityApplication().worker();
