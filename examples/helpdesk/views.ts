import { rules } from "espalier";
import { roles, statuses } from "./database/tables.ts";

// What the API sends. A column that is not listed here is never part of a response.

const required = { required: true } as const;
const id = { type: "uuid", ...required } as const;
const string = { type: "string", ...required } as const;
const date = { type: "date", ...required } as const;

export const userView = rules({
  id,
  email: string,
  name: string,
  role: { enum: roles, ...required },
  createdAt: date,
});

export const tokensView = rules({
  accessToken: string,
  refreshToken: string,
  expiresInSeconds: { type: "integer", ...required },
  refreshExpiresInSeconds: { type: "integer", ...required },
});

export const organisationView = rules({
  id,
  slug: string,
  name: string,
  /** Shown once: signs the webhooks that the organisation's mail service sends. */
  inboundSecret: string,
});

export const ticketView = rules({
  id,
  subject: string,
  body: string,
  status: { enum: statuses, ...required },
  customerId: id,
  assigneeId: { type: "uuid", nullable: true },
  createdAt: date,
  updatedAt: date,
});

export const commentView = rules({ id, authorId: id, body: string, createdAt: date });

export const attachmentView = rules({
  id,
  name: string,
  type: string,
  size: { type: "integer", ...required },
  uploaderId: id,
  createdAt: date,
});

export const webhookView = rules({ id, url: string, createdAt: date });

/** The secret is shown once, when the webhook is created. */
export const newWebhookView = rules({ ...webhookView, secret: string });

/** Selects the members that a view lists. */
export function pick<Row extends object, Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}
