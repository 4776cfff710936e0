/**
 * The part of `jose` in use, loaded lazily with the first token that is signed: its dozens of files would be more than
 * half of what a process reads at startup.
 */
export { SignJWT } from "jose";
