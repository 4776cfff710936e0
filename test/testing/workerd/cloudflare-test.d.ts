/** The subset of the plugin's API in workerd used by these tests. */
declare module "cloudflare:test" {
  export const env: { readonly KV: { list(): Promise<{ readonly keys: readonly unknown[] }> } };
}
