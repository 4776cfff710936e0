import { createMultipartApplication } from "./application.ts";

export default createMultipartApplication().worker();
