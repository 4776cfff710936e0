/**
 * What `new Headers` takes. The global type of this name is not in Node's and Bun's declarations: there
 * it would be an error, or `any` where libraries are not checked.
 */
export type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** What `new Response` takes for a body; the global type of this name is missing likewise. */
export type BodyInit = NonNullable<ConstructorParameters<typeof Response>[0]>;
