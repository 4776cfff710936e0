/**
 * What we use of the library of tokens. It is loaded when the first token is looked at: its dozens of
 * files are more than half of what a process would read to start.
 */
export { errors, jwtVerify, SignJWT } from "jose";
