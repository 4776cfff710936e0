import { rules } from "espalier";
import { roles, statuses } from "./database/tables.ts";

/** One line with a visible character. A line break would add headers to a message. */
const line = { type: "string", pattern: /^(?=.*\S)[^\p{Cc}]+$/u } as const;
/** Lines with a visible character, and without NUL, which PostgreSQL does not store. */
const text = { type: "string", pattern: /^(?=[\s\S]*\S)[^\0]+$/ } as const;
const required = { required: true } as const;

const email = { type: "email", max: 254, ...required } as const;
/** Without NUL, which no password hash accepts. */
const password = { type: "string", min: 10, max: 200, pattern: /^[^\0]*$/, ...required } as const;
const name = { ...line, ...required, max: 100 } as const;

/** Path parameters; the patterns of the routes restrict their format. */
export const byOrganisation = rules({ organisation: { type: "string", ...required } });
export const byUser = rules({ user: { type: "string", ...required } });
export const byWebhook = rules({ webhook: { type: "string", ...required } });
export const byAttachment = rules({ attachment: { type: "string", ...required } });

/** An account to create. */
export const accountRules = rules({ email, name, password });

export const organisationRules = rules({
  /** Part of every path. */
  slug: { type: "string", pattern: /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, ...required },
  organisation: name,
  ...accountRules,
});

/** No password policy at sign-in: a wrong guess must not reveal more than that it is wrong. */
export const signInRules = rules({
  email,
  password: { type: "string", max: 1024, ...required },
});

export const refreshRules = rules({ refreshToken: { type: "string", max: 200, ...required } });

export const roleRules = rules({ role: { enum: roles, ...required } });

export const newTicketRules = rules({
  subject: { ...line, ...required, max: 200 },
  body: { ...text, ...required, max: 20_000 },
});

/** Fields that are not sent keep their values; null removes the assignee. */
export const ticketChangeRules = rules({
  status: { enum: statuses },
  assigneeId: { type: "uuid", nullable: true },
});

export const ticketFilterRules = rules({ status: { enum: statuses } });

export const commentRules = rules({ body: { ...text, ...required, max: 20_000 } });

/** Query of an upload: the body is the file. Control characters are rejected. */
export const uploadRules = rules({
  name: { type: "string", pattern: /^[^\p{Cc}/\\]+$/u, max: 200, ...required },
});

export const webhookRules = rules({ url: { type: "url", max: 2000, ...required } });

/** A message that a mail service received; the service signs it. */
export const inboundMailRules = rules({
  from: email,
  subject: { ...line, ...required, max: 200 },
  text: { ...text, ...required, max: 20_000 },
  /** Ticket to which it replies. */
  ticketId: { type: "uuid" },
});
