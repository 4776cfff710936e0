import { randomUUID } from "node:crypto";
import { dataOf, type Send, sendAs, withJson } from "./send.ts";

export const password = "seven-slow-herons";

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface Member extends Tokens {
  readonly id: string;
  readonly email: string;
  /** Sends a request to a path of the organisation, such as `/tickets`, with the access token. */
  readonly send: Send;
}

export interface TicketData {
  readonly id: string;
  readonly subject: string;
  readonly status: string;
  readonly customerId: string;
  readonly assigneeId: string | null;
}

/** An organisation with an admin, an agent and two customers. */
export interface Organisation {
  readonly slug: string;
  readonly inboundSecret: string;
  readonly admin: Member;
  readonly agent: Member;
  readonly customer: Member;
  readonly other: Member;
}

export async function createOrganisation(send: Send): Promise<Organisation> {
  const slug = `org-${randomUUID().slice(0, 8)}`;
  const email = `wren-${slug}@mail.example`;
  const body = { slug, organisation: "Heron Ltd", email, name: "Wren", password };
  const created = await send("/api/organisations", withJson("POST", body));
  const { inboundSecret } = await dataOf<{ inboundSecret: string }>(created);
  const admin = await signIn(send, slug, email);
  const [agent, customer, other] = [
    await join(send, slug, "Avocet"),
    await join(send, slug, "Linnet"),
    await join(send, slug, "Siskin"),
  ];
  await admin.send(`/users/${agent.id}/role`, withJson("PUT", { role: "agent" }));
  return { slug, inboundSecret, admin, agent, customer, other };
}

/** Registers a customer and signs in. */
export async function join(send: Send, slug: string, name: string): Promise<Member> {
  const email = `${name.toLowerCase()}-${slug}@mail.example`;
  await dataOf(await send(`/api/${slug}/sign-up`, withJson("POST", { email, name, password })));
  return signIn(send, slug, email);
}

export async function signIn(send: Send, slug: string, email: string): Promise<Member> {
  const response = await send(`/api/${slug}/sign-in`, withJson("POST", { email, password }));
  const tokens = await dataOf<Tokens>(response);
  const asMember = sendAs((path, init) => send(`/api/${slug}${path}`, init), tokens.accessToken);
  const { id } = await dataOf<{ id: string }>(await asMember("/me"));
  return { ...tokens, id, email, send: asMember };
}

export async function openTicket({ send }: Member, subject = "Printer"): Promise<TicketData> {
  return dataOf(await send("/tickets", withJson("POST", { subject, body: "It hums." })));
}

/** Reads the events of a response until it has as many as expected. */
export async function readEvents(response: Response, count: number): Promise<string[]> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  const events = (): string[] =>
    text
      .split("\n\n")
      .slice(0, -1)
      .filter((event) => /^event: /m.test(event));
  while (events().length < count) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return events();
}
