/**
 * The parameter type of `new Headers`. Node's and Bun's declarations lack the global type of this name: it
 * would be an error there, or `any` with `skipLibCheck`.
 */
export type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** The body type of `new Response`; the global type of this name is missing likewise. */
export type BodyInit = NonNullable<ConstructorParameters<typeof Response>[0]>;
