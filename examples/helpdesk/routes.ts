import type { Router } from "espalier";
import { ListAttachments, ShowAttachment, UploadAttachment } from "./controllers/attachments.ts";
import { AddComment, ListComments } from "./controllers/comments.ts";
import { ReceiveMail } from "./controllers/inbound-mail.ts";
import { CreateOrganisation } from "./controllers/organisations.ts";
import { Refresh, SignIn, SignOut, SignUp } from "./controllers/sign-in.ts";
import { TicketEvents } from "./controllers/ticket-events.ts";
import {
  CountTickets,
  ListTickets,
  OpenTicket,
  ShowTicket,
  UpdateTicket,
} from "./controllers/tickets.ts";
import { ChangeRole, ListUsers, ShowMe } from "./controllers/users.ts";
import { AddWebhook, ListWebhooks, RemoveWebhook } from "./controllers/webhooks.ts";

/** Registers all routes. Every path names the organisation, and every guard compares it with the token's. */
export function registerRoutes(router: Router): void {
  router.post("/api/organisations", CreateOrganisation, {
    summary: "Create an organisation",
    description: "Creates it with its first admin. The inbound secret is shown once.",
    tags: ["organisations"],
    middleware: ["sign-up-limit"],
  });
  router.group("/api/:organisation([a-z0-9-]{1,40})", (api) => {
    registerAccess(api);
    api.post("/inbound/mail", ReceiveMail, {
      summary: "Receive a message",
      description:
        "For mail services. The webhook is signed with the organisation's inbound secret.",
      tags: ["webhooks"],
      fields: { ticketId: "Ticket to which the message replies." },
    });
    api.group("/", { middleware: ["auth", "user-limit", "can:member"] }, (members) => {
      registerUsers(members);
      registerTickets(members);
      registerWebhooks(members);
    });
  });
}

function registerAccess(api: Router): void {
  const tags = ["access"];
  api.post("/sign-up", SignUp, {
    summary: "Register as a customer",
    description: "The address may be registered once in an organisation.",
    tags,
    middleware: ["sign-up-limit"],
  });
  api.post("/sign-in", SignIn, {
    summary: "Sign in",
    description: "Returns an access token for 15 minutes and a refresh token.",
    tags,
    middleware: ["sign-in-limit"],
  });
  api.post("/refresh", Refresh, {
    summary: "Exchange a refresh token",
    description: "Returns new tokens. A refresh token is valid once.",
    tags,
  });
  api.post("/sign-out", SignOut, {
    summary: "Sign out",
    description: "Revokes all tokens of the sign-in.",
    tags,
  });
}

function registerUsers(api: Router): void {
  const tags = ["users"];
  api.get("/me", ShowMe, {
    summary: "Your account",
    description: "The account of the access token.",
    tags,
  });
  api.group("/users", { middleware: ["can:role,admin"] }, (users) => {
    users.get("/", ListUsers, {
      summary: "List users",
      description: "By name. Only for admins.",
      tags,
    });
    users.put("/:user([0-9a-f-]{36})/role", ChangeRole, {
      summary: "Change a role",
      description: "Takes effect with the user's next request. Only for admins.",
      tags,
    });
  });
}

function registerTickets(api: Router): void {
  const tags = ["tickets"];
  api.get("/events", TicketEvents, {
    summary: "Follow changes of tickets",
    description:
      "Server-sent events, after an event `ready`. Ends with the access token. Customers get those of their tickets.",
    tags,
    responses: { 200: { description: "The events.", type: "text/event-stream" } },
  });
  api.group("/tickets", (tickets) => {
    tickets.get("/", ListTickets, {
      summary: "List tickets",
      description: "Newest first. Customers see their own.",
      tags,
    });
    tickets.post("/", OpenTicket, {
      summary: "Open a ticket",
      description: "Its customer is the user.",
      tags,
    });
    tickets.get("/counts", CountTickets, {
      summary: "Count tickets by status",
      description: "May be ten seconds old. Only for agents and admins.",
      tags,
      middleware: ["can:role,agent"],
    });
    tickets.group("/:ticket([0-9a-f-]{36})", { middleware: ["ticket"] }, registerTicket);
  });
}

function registerTicket(ticket: Router): void {
  const tags = ["tickets"];
  ticket.get("/", ShowTicket, { summary: "Get a ticket", description: "With its text.", tags });
  ticket.patch("/", UpdateTicket, {
    summary: "Change a ticket",
    description: "Its status or assignee. Only for agents and admins.",
    tags,
    middleware: ["can:role,agent"],
    fields: { assigneeId: "Id of an agent or admin; null removes the assignee." },
  });
  ticket.get("/comments", ListComments, {
    summary: "List comments",
    description: "Oldest first.",
    tags,
  });
  ticket.post("/comments", AddComment, {
    summary: "Comment on a ticket",
    description: "A comment of the customer opens the ticket again.",
    tags,
  });
  ticket.get("/attachments", ListAttachments, {
    summary: "List attachments",
    description: "Without their content.",
    tags,
  });
  ticket.post("/attachments", UploadAttachment, {
    summary: "Upload an attachment",
    description: "The body is the file, at most 25 MiB, with Content-Length.",
    tags,
    // The controller streams the body.
    bodyParser: false,
    bodyTypes: ["application/octet-stream"],
  });
  ticket.get("/attachments/:attachment([0-9a-f-]{36})", ShowAttachment, {
    summary: "Download an attachment",
    description: "Supports ranges.",
    tags,
    responses: {
      200: { description: "The file.", type: "application/octet-stream" },
      206: { description: "The requested range.", type: "application/octet-stream" },
      304: { description: "The copy of the client is current." },
    },
  });
}

function registerWebhooks(api: Router): void {
  const tags = ["webhooks"];
  api.group("/webhooks", { middleware: ["can:role,admin"] }, (webhooks) => {
    webhooks.get("/", ListWebhooks, {
      summary: "List receivers of webhooks",
      description: "Without their secrets. Only for admins.",
      tags,
    });
    webhooks.post("/", AddWebhook, {
      summary: "Add a receiver of webhooks",
      description: "It gets each change of a ticket. The secret is shown once. Only for admins.",
      tags,
    });
    webhooks.delete("/:webhook([0-9a-f-]{36})", RemoveWebhook, {
      summary: "Remove a receiver of webhooks",
      description: "Webhooks that wait are dropped. Only for admins.",
      tags,
    });
  });
}
