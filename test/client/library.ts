import { Application, Controller, HttpError, json, noContent } from "espalier";

const book = {
  type: "object",
  properties: { id: { type: "integer" }, title: { type: "string" } },
  required: ["id", "title"],
} as const;

class AddBook extends Controller.for({
  body: { title: { type: "string", required: true, min: 1 }, pages: { type: "integer", min: 1 } },
}) {
  handle(): Response {
    return json({ id: 7, title: this.body.title }, 201);
  }
}

class UploadPhotos extends Controller.for({
  body: { photos: { type: "array", required: true, items: { type: "file" } } },
}) {
  handle(): Response {
    return json(this.body.photos.length);
  }
}

/** An application whose responses are described, with one of each kind. */
export function createLibrary(): Application {
  const app = new Application();
  const router = app.getRouter();
  router.post("/books", AddBook, { responses: { 201: { schema: book } } });
  router.get(
    "/books/:id",
    (ctx) => {
      if (ctx.params.id === "0") throw new HttpError(404, "No such book.");
      return json({ id: Number(ctx.params.id), title: "Emma" });
    },
    { responses: { 200: { schema: book } } },
  );
  router.delete("/books/:id", () => noContent(), { responses: { 204: "It is gone." } });
  router.get("/books.csv", () => new Response("7,Emma\n"), {
    responses: { 200: { type: "text/csv", schema: { type: "string" } } },
  });
  router.post("/photos", UploadPhotos, { responses: { 200: { schema: { type: "integer" } } } });
  router.post("/notes", (ctx) => json(ctx.validated), {
    bodyTypes: ["application/json", "multipart/form-data"],
    validation: { text: { type: "string" } },
    responses: { 200: { schema: { type: "object" } } },
  });
  router.get("/echo", (ctx) =>
    json({
      authorization: ctx.headers.get("authorization"),
      from: ctx.headers.get("x-from"),
      env: Object.keys(ctx.env).includes("PATH"),
    }),
  );
  return app;
}
