/** The subset of autocannon used here; it has no type declarations. */
declare module "autocannon" {
  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly requests: readonly object[];
  }): Promise<{
    readonly latency: { readonly p99: number };
    readonly requests: { readonly average: number; readonly total: number };
  }>;
}
