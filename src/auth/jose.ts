/**
 * The parts of `jose` in use, loaded lazily with the first token: its dozens of files would be more
 * than half of what a process reads at startup.
 */
export { compactVerify, errors, SignJWT } from "jose";
