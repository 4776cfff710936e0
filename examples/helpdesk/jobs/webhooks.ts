import { type Application, signWebhook } from "espalier";

/** Registers the job that sends a signed webhook (Standard Webhooks); an error makes the queue try again. */
export function registerWebhooks(app: Application): void {
  app.getQueue().process("webhook.deliver", async ({ id, payload }, { resolve, signal }) => {
    const { webhookId, change } = payload;
    const { organisationId, ticketId, actorId, at, type } = change;
    const webhook = await resolve("webhooks").find(organisationId, webhookId);
    // Deleted while the job waited.
    if (webhook === undefined) return;
    const body = JSON.stringify({ type, timestamp: at, data: { ticketId, actorId } });
    // The same id for each attempt, so that the receiver can ignore repetitions.
    const signature = await signWebhook({ id, body }, webhook.secret);
    const response = await fetch(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signature },
      body,
      // A redirect could lead into the internal network.
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`Webhook ${webhookId} responded with ${response.status}.`);
  });
}
