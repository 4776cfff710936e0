// One process of the application: web and worker.
import { json, session } from "espalier";
import { createClusterApplication, port } from "../support/cluster-application.ts";

const { app, sessions } = createClusterApplication({ limit: 100 });
app.getRouter().get(
  "/visit",
  (ctx) => {
    const count = Number(session(ctx).get("count") ?? 0) + 1;
    session(ctx).set("count", count);
    return json({ count });
  },
  { middleware: [sessions] },
);

await app.listen({ port });
console.log(`listening on ${port}`);
