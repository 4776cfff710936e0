import type { Auth, Encrypter } from "espalier";
import type { SignedInUser } from "./access/signed-in-user.ts";
import type { AccessConfig, MailConfig } from "./config.ts";
import type { Database } from "./database/database.ts";
import type { Ticket } from "./database/tables.ts";
import type { FileStore } from "./files/file-store.ts";
import type { Message } from "./jobs/mail.ts";
import type { Accounts } from "./repositories/accounts.ts";
import type { Attachments } from "./repositories/attachments.ts";
import type { Comments } from "./repositories/comments.ts";
import type { Organisations } from "./repositories/organisations.ts";
import type { Tickets } from "./repositories/tickets.ts";
import type { Webhooks } from "./repositories/webhooks.ts";
import type { Desk } from "./services/desk.ts";
import type { TicketChange } from "./services/ticket-change.ts";

declare module "espalier" {
  interface Register {
    user: SignedInUser;
    state: { ticket: Ticket };
    services: {
      auth: Auth;
      encrypter: Encrypter;
      now: () => Date;
      database: Database;
      files: FileStore;
      organisations: Organisations;
      accounts: Accounts;
      tickets: Tickets;
      comments: Comments;
      attachments: Attachments;
      webhooks: Webhooks;
      desk: Desk;
    };
    middleware: {
      auth: { user: SignedInUser };
      "user-limit": object;
      "sign-in-limit": object;
      "sign-up-limit": object;
      ticket: { state: { ticket: Ticket } };
    };
    policies: { member: []; role: [string] };
    config: { access: AccessConfig; mail: MailConfig };
    jobs: {
      "ticket.changed": TicketChange;
      "mail.send": Message;
      "webhook.deliver": { readonly webhookId: string; readonly change: TicketChange };
      "digest.prepare": { readonly cron: string; readonly scheduledTime: number };
    };
    /** One name for each organisation, so that an instance receives only what its clients follow. */
    broadcasts: { [name: `tickets.${string}`]: TicketChange };
  }
}
