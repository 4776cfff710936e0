/** The table's lookup as rou3 compiled it, put beside the worker when the worker is started. */
declare module "rou3-lookup" {
  const lookup: import("../subjects/rou3.ts").Rou3Lookup;
  export default lookup;
}

/** That package has no declarations of its own; it gives null for text that is not encoded right. */
declare module "fast-decode-uri-component" {
  export default function decode(text: string): string | null;
}
