import {
  type Application,
  Controller,
  created,
  file,
  HttpError,
  json,
  type Provider,
  type RequestContext,
} from "espalier";
import { isPicture } from "./is-picture.ts";
import { limitBytes } from "./limit-bytes.ts";
import type { MemoryFiles } from "./memory-files.ts";

const mebibyte = 1024 * 1024;

/** Registers upload routes: a multipart form, and a stream for large files. */
export class UploadsProvider implements Provider<Application> {
  readonly #files: MemoryFiles;

  constructor(files: MemoryFiles) {
    this.#files = files;
  }

  register(app: Application): void {
    const files = this.#files;
    app.instance("files", files);
    const router = app.getRouter();
    router.post("/pictures", UploadPicture, { bodyLimit: 2 * mebibyte });
    router.put("/files/:name", (ctx) => receive(ctx, files), { bodyParser: false });
    router.get("/files/:name", ({ params: { name } }) => {
      const found = files.find(name);
      if (found === undefined) throw new HttpError(404, `File ${name} not found.`);
      return file(found.bytes, { name, type: found.type });
    });
  }
}

/** Accepts a form with a picture; the body is parsed and validated before `handle`. */
class UploadPicture extends Controller.for({
  body: {
    title: { type: "string", required: true, maxLength: 80 },
    picture: { type: "file", required: true, custom: isPicture },
  },
}) {
  async handle(): Promise<Response> {
    const { title, picture } = this.body;
    const files = this.context.resolve<MemoryFiles>("files");
    await files.put(title, picture.stream(), picture.type);
    return created({ title, bytes: picture.size }, `/files/${encodeURIComponent(title)}`);
  }
}

/** Streams the body into the store; the controller never buffers all of it. */
async function receive(
  ctx: RequestContext<{ name: string }>,
  files: MemoryFiles,
): Promise<Response> {
  const { body } = ctx.request;
  if (body === null) throw new HttpError(400, "The body is empty. Send the file as the body.");
  const type = ctx.headers.get("content-type") ?? "application/octet-stream";
  const bytes = await files.put(ctx.params.name, limitBytes(body, 10 * mebibyte), type);
  return json({ name: ctx.params.name, bytes }, 201);
}
