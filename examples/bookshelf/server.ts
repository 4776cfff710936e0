import { createBookshelf } from "./app.ts";

const app = createBookshelf();
const { url } = await app.listen();
app.logger.info(`The library is open at ${url}`);
