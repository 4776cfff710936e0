/** Size of the response that slow readers read: they take two seconds for it. */
export const largeBytes = 4_000_000;
