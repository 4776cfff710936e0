import { Application, json, type RequestContext, text } from "espalier";

/** Messages of the log and names of the events that report an error. */
const reports: string[] = [];
const report = (record: string | Readonly<Record<string, unknown>>): void => {
  reports.push(typeof record === "string" ? record : String(record["message"]));
};
let begun = 0;
let ended = 0;

const app = new Application({
  host: "127.0.0.1",
  logger: {
    debug: () => {},
    info: () => {},
    warn: (record) => report(record),
    error: (record) => report(record),
  },
});
app.on("request.failed", () => void reports.push("request.failed"));

const router = app.getRouter();
const upload = (path: string, read: (ctx: RequestContext<object>) => Promise<unknown>): void => {
  const handler = async (ctx: RequestContext<object>): Promise<Response> => {
    begun += 1;
    try {
      await read(ctx);
    } finally {
      ended += 1;
    }
    return text("read");
  };
  router.post(path, handler, { bodyParser: false });
};
upload("/iterated", async (ctx) => {
  for await (const _ of ctx.request.body ?? []);
});
upload("/read", async (ctx) => {
  const reader = ctx.request.body?.getReader();
  while (reader !== undefined && !(await reader.read()).done);
});
upload("/piped", (ctx) => ctx.request.body?.pipeTo(new WritableStream()) ?? Promise.resolve());
upload("/text", (ctx) => ctx.request.text());
upload("/form", (ctx) => ctx.request.formData());
upload("/cloned", (ctx) => ctx.request.clone().arrayBuffer());
upload("/parts", async (ctx) => {
  for await (const part of ctx.parts()) await part.text();
});
upload("/forwarded", (ctx) => fetch(new URL("/silent", url), { signal: ctx.request.signal }));
upload("/faulty", async (ctx) => {
  await ctx.request.text().catch(() => {});
  throw new Error("A fault of the handler.");
});
router.get(
  "/silent",
  () => new Promise<Response>((resolve) => setTimeout(resolve, 1_000, text(""))),
);
router.get("/state", () => json({ begun, ended, reports }));

const { url } = await app.listen({ port: 0 });
console.log(`listening ${url}`);
