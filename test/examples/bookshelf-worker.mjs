import { createBookshelf } from "../../examples/bookshelf/app.ts";

// Silences the access log, which would be thousands of lines.
const logger = { debug() {}, info() {}, warn: console.warn, error: console.error };

export default createBookshelf({ logger }).worker();
