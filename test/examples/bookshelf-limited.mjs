import { createBookshelf } from "../../examples/bookshelf/app.ts";

const { url } = await createBookshelf({ host: "127.0.0.1" }).listen({ port: 0 });
console.log(`listening ${url}`);
