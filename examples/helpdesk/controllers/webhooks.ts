import { Controller } from "espalier";
import { NotFound } from "../errors.ts";
import { byWebhook, webhookRules } from "../rules.ts";
import { createWebhookSecret } from "../services/webhook-secret.ts";
import { newWebhookView, pick, webhookView } from "../views.ts";

export class ListWebhooks extends Controller.for({
  inject: ["webhooks"],
  middleware: ["auth"],
  responses: { 200: { data: [webhookView] } },
}) {
  async handle() {
    const webhooks = await this.services.webhooks.list(this.user.organisationId);
    return this.success(webhooks.map((webhook) => pick(webhook, ["id", "url", "createdAt"])));
  }
}

export class AddWebhook extends Controller.for({
  inject: ["webhooks", "now"],
  middleware: ["auth"],
  body: webhookRules,
  responses: { 201: { data: newWebhookView } },
}) {
  async handle() {
    const { webhooks, now } = this.services;
    const webhook = {
      id: crypto.randomUUID(),
      organisationId: this.user.organisationId,
      url: new URL(this.body.url).href,
      secret: createWebhookSecret(),
      createdAt: now().toISOString(),
    };
    await webhooks.add(webhook);
    return this.created(pick(webhook, ["id", "url", "createdAt", "secret"]));
  }
}

export class RemoveWebhook extends Controller.for({
  inject: ["webhooks"],
  middleware: ["auth"],
  params: byWebhook,
}) {
  async handle() {
    const { webhooks } = this.services;
    const isRemoved = await webhooks.remove(this.user.organisationId, this.params.webhook);
    if (!isRemoved) throw new NotFound("webhook");
    return this.noContent();
  }
}
