import { createBookshelf } from "./app.ts";

const app = createBookshelf();
const { url } = await app.listen();
app.logger.info(`Bookshelf is listening on ${url}`);
