import { createStreaming } from "./app.ts";

const app = createStreaming();
const { url } = await app.listen();
app.logger.info(`Listening at ${url}`);
