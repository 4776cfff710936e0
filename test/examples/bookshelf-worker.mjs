import { createBookshelf } from "../../examples/bookshelf/app.ts";

// Without its access log, which would be thousands of lines.
const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };

export default createBookshelf({ logger }).worker();
