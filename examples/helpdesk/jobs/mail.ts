import type { Application } from "espalier";

/** A message to send. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Registers the job that sends mail through the HTTP API of a provider. Without a configured provider the message
 * is logged, for development.
 */
export function registerMail(app: Application): void {
  app.getQueue().process("mail.send", async (job, { signal }) => {
    const { url, token, from } = app.getConfig("mail");
    if (url === undefined) {
      app.logger.info("A message is not sent, because MAIL_URL is not set.", { ...job.payload });
      return;
    }
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token ?? ""}`,
        "content-type": "application/json",
        // A job may run twice: the provider sends one message.
        "idempotency-key": job.id,
      },
      body: JSON.stringify({ from, ...job.payload }),
      signal,
    });
    await response.body?.cancel();
    if (response.ok) return;
    const retryAfter = Number(response.headers.get("retry-after"));
    if (response.status === 429 && retryAfter > 0) job.retry(retryAfter * 1000);
    else throw new Error(`The mail provider responded with ${response.status}.`);
  });
}
