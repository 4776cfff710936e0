/** The table's lookup compiled by rou3: a module added when the worker is started. */
declare module "rou3-lookup" {
  const lookup: import("../subjects/rou3.ts").Rou3Lookup;
  export default lookup;
}

/** The package has no type declarations; it returns null for a malformed encoding. */
declare module "fast-decode-uri-component" {
  export default function decode(text: string): string | null;
}
