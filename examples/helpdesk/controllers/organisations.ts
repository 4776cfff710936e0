import { Controller, hashPassword } from "espalier";
import { SlugTaken } from "../errors.ts";
import { organisationRules } from "../rules.ts";
import { createWebhookSecret } from "../services/webhook-secret.ts";
import { organisationView } from "../views.ts";

/** Creates an organisation with its first admin. */
export class CreateOrganisation extends Controller.for({
  inject: ["organisations", "accounts", "database", "now"],
  body: organisationRules,
  responses: { 201: { data: organisationView } },
}) {
  async handle() {
    const { organisations, accounts, database, now } = this.services;
    const { slug, organisation: name, email, password, name: userName } = this.body;
    if ((await organisations.findBySlug(slug)) !== undefined) throw new SlugTaken(slug);
    const createdAt = now().toISOString();
    const id = crypto.randomUUID();
    const organisation = { id, slug, name, inboundSecret: createWebhookSecret(), createdAt };
    const admin = {
      id: crypto.randomUUID(),
      organisationId: id,
      email: email.toLowerCase(),
      name: userName,
      role: "admin" as const,
      passwordHash: await hashPassword(password),
      createdAt,
    };
    const statements = [await organisations.insert(organisation), accounts.insert(admin)];
    try {
      await database.commit(statements, []);
    } catch (error) {
      // Another request may have taken the slug since it was read.
      if ((await organisations.findBySlug(slug)) !== undefined) throw new SlugTaken(slug);
      throw error;
    }
    const { inboundSecret } = organisation;
    return this.created({ id, slug, name, inboundSecret }, `/api/${slug}/me`);
  }
}
