/** Creates a secret as Standard Webhooks defines it: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
