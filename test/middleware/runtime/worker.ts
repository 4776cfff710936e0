import { app } from "./application.ts";

export default app.worker();
