/** What the plugin offers inside workerd, as far as these tests use it. */
declare module "cloudflare:test" {
  export const env: { readonly KV: { list(): Promise<{ readonly keys: readonly unknown[] }> } };
}
