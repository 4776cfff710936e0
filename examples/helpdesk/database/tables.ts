import type { Selectable } from "kysely";

export const roles = ["customer", "agent", "admin"] as const;
/** Role of a user; each includes the permissions of those before it. */
export type Role = (typeof roles)[number];

export const statuses = ["open", "pending", "solved"] as const;
/** State of a ticket: `pending` waits for the customer. */
export type Status = (typeof statuses)[number];

/** Tables of the database, with columns in camel case; the plugin of Kysely converts their names. */
export interface Tables {
  organisations: OrganisationTable;
  users: UserTable;
  tickets: TicketTable;
  comments: CommentTable;
  attachments: AttachmentTable;
  webhooks: WebhookTable;
}

export type Organisation = Selectable<OrganisationTable>;
export type Account = Selectable<UserTable>;
export type Ticket = Selectable<TicketTable>;
export type Comment = Selectable<CommentTable>;
export type Attachment = Selectable<AttachmentTable>;
export type Webhook = Selectable<WebhookTable>;

interface OrganisationTable {
  id: string;
  slug: string;
  name: string;
  inboundSecret: string;
  createdAt: string;
}

interface UserTable {
  id: string;
  organisationId: string;
  email: string;
  name: string;
  role: Role;
  passwordHash: string;
  createdAt: string;
}

interface TicketTable {
  id: string;
  organisationId: string;
  customerId: string;
  assigneeId: string | null;
  subject: string;
  body: string;
  status: Status;
  source: string | null;
  createdAt: string;
  updatedAt: string;
}

interface CommentTable {
  id: string;
  ticketId: string;
  authorId: string;
  body: string;
  source: string | null;
  createdAt: string;
}

interface AttachmentTable {
  id: string;
  ticketId: string;
  uploaderId: string;
  name: string;
  type: string;
  size: number;
  createdAt: string;
}

interface WebhookTable {
  id: string;
  organisationId: string;
  url: string;
  secret: string;
  createdAt: string;
}
