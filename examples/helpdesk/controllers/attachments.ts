import { Controller, HttpError, serveFile } from "espalier";
import { ticketOf } from "../access/load-ticket.ts";
import type { Attachment } from "../database/tables.ts";
import { NotFound } from "../errors.ts";
import { byAttachment, uploadRules } from "../rules.ts";
import { attachmentView, pick } from "../views.ts";

const maxBytes = 25 * 1024 * 1024;
const maxPerTicket = 50;

export class ListAttachments extends Controller.for({
  inject: ["attachments"],
  responses: { 200: { data: [attachmentView] } },
}) {
  async handle() {
    const attachments = await this.services.attachments.list(ticketOf(this.context).id);
    return this.success(attachments.map(viewAttachment));
  }
}

/** Streams the body into the file store; it is never in memory as a whole. */
export class UploadAttachment extends Controller.for({
  inject: ["attachments", "files", "now"],
  middleware: ["auth"],
  query: uploadRules,
  responses: { 201: { data: attachmentView } },
}) {
  async handle() {
    const { attachments, files, now } = this.services;
    const { body, headers } = this.context.request;
    const size = Number(headers.get("content-length") ?? Number.NaN);
    if (body === null || !Number.isSafeInteger(size)) {
      throw new HttpError(411, "Send the file as the body, with Content-Length.");
    }
    if (size > maxBytes) throw new HttpError(413, `A file may have at most ${maxBytes} bytes.`);
    const attachment = {
      id: crypto.randomUUID(),
      ticketId: ticketOf(this.context).id,
      uploaderId: this.user.id,
      name: this.query.name,
      type: mediaTypeOf(headers),
      size,
      createdAt: now().toISOString(),
    };
    // The file first: a row without its file would be a broken link.
    await files.put(attachment.id, body, size);
    const isAdded = await attachments
      .add(attachment, maxPerTicket)
      .catch(async (error: unknown) => {
        await files.remove(attachment.id);
        throw error;
      });
    if (isAdded) return this.created(viewAttachment(attachment));
    await files.remove(attachment.id);
    throw new HttpError(409, `A ticket may have at most ${maxPerTicket} attachments.`);
  }
}

/** Streams an attachment, or a part of it. */
export class ShowAttachment extends Controller.for({
  inject: ["attachments", "files"],
  params: byAttachment,
}) {
  async handle() {
    const { attachments, files } = this.services;
    const id = this.params.attachment;
    const attachment = await attachments.find(ticketOf(this.context).id, id);
    if (attachment === undefined) throw new NotFound("attachment");
    const { name, type, size } = attachment;
    // Always a download: displayed inline, the HTML of a user would run in this origin (XSS).
    const read = (range?: { offset: number; length: number }) => files.read(id, range);
    return serveFile(this.context, { size, etag: `"${id}"`, name, type, read });
  }
}

/** Returns the declared type, which only describes the download. */
function mediaTypeOf(headers: Headers): string {
  const type = headers.get("content-type") ?? "";
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : "application/octet-stream";
}

function viewAttachment(attachment: Attachment) {
  return pick(attachment, ["id", "name", "type", "size", "uploaderId", "createdAt"]);
}
