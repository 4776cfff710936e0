import { Controller, verifyWebhook } from "espalier";
import { NotFound } from "../errors.ts";
import { Tickets } from "../repositories/tickets.ts";
import { byOrganisation, inboundMailRules } from "../rules.ts";
import { Desk } from "../services/desk.ts";

/**
 * Receives a message from the mail service of an organisation, as a signed webhook (Standard Webhooks): it opens a
 * ticket, or is a comment if it replies to one.
 */
export class ReceiveMail extends Controller.for({
  inject: ["organisations", "accounts", "comments", "database", "now"],
  params: byOrganisation,
  body: inboundMailRules,
}) {
  async handle() {
    const { organisations, accounts, comments, database, now } = this.services;
    const organisation = await organisations.findBySlug(this.params.organisation);
    if (organisation === undefined) throw new NotFound("organisation");
    const secret = await organisations.inboundSecret(organisation);
    const { id } = await verifyWebhook(this.context, secret);

    const { from, subject, text, ticketId } = this.body;
    const sender = await accounts.findByEmail(organisation.id, from);
    if (sender === undefined) {
      // Not an error: the service would send it again.
      this.app.logger.warn("A message of an unknown sender is ignored.", { webhook: id });
      return this.noContent();
    }
    // A service sends a webhook again if the response is lost: it takes effect once.
    const source = `${organisation.id}:${id}`;
    const tickets = new Tickets(database, organisation.id);
    const seen = (await tickets.findBySource(source)) ?? (await comments.findBySource(source));
    if (seen !== undefined) return this.noContent();

    const desk = new Desk({ app: this.app, database, organisationId: organisation.id, now });
    const ticket = ticketId === undefined ? undefined : await tickets.find(ticketId);
    const isReply = ticket !== undefined && ticket.customerId === sender.id;
    if (isReply) await desk.comment(ticket, { body: text, source }, sender.id);
    else await desk.open(sender.id, { subject, body: text, source });
    return this.noContent();
  }
}
