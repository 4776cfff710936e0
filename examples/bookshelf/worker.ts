import { createBookshelf } from "./app.ts";

export default createBookshelf().worker();
