/** Size of the response that slow readers read: more than the sockets of a connection can hold. */
export const largeBytes = 16_000_000;
