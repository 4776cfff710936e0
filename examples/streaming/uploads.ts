import {
  Controller,
  created,
  file,
  HttpError,
  json,
  type RequestContext,
  type Router,
} from "espalier";
import { isPicture } from "./is-picture.ts";
import { limitBytes } from "./limit-bytes.ts";

const mebibyte = 1024 * 1024;

/** Registers upload routes: a multipart form, and a stream for large files. */
export function registerUploads(router: Router): void {
  router.post("/pictures", UploadPicture, { bodyLimit: 2 * mebibyte });
  router.put("/files/:name", receiveFile, { bodyParser: false });
  router.get("/files/:name", (ctx) => {
    const { name } = ctx.params;
    const found = ctx.resolve("files").find(name);
    if (found === undefined) throw new HttpError(404, `File ${name} not found.`);
    return file(found.bytes, { name, type: found.type });
  });
}

/** Accepts a form with a picture; the body is parsed and validated before `handle`. */
class UploadPicture extends Controller.for({
  inject: ["files"],
  body: {
    title: { type: "string", required: true, maxLength: 80 },
    picture: { type: "file", required: true, custom: isPicture },
  },
}) {
  async handle() {
    const { title, picture } = this.body;
    await this.services.files.put(title, picture.stream(), picture.type);
    return created({ title, bytes: picture.size }, `/files/${encodeURIComponent(title)}`);
  }
}

/** Streams the body into the store; the handler never buffers all of it. */
async function receiveFile(ctx: RequestContext<{ name: string }>): Promise<Response> {
  const { body } = ctx.request;
  if (body === null) throw new HttpError(400, "The body is empty. Send the file as the body.");
  const { name } = ctx.params;
  const type = ctx.headers.get("content-type") ?? "application/octet-stream";
  const bytes = await ctx.resolve("files").put(name, limitBytes(body, 10 * mebibyte), type);
  return json({ name, bytes }, 201);
}
