import type { ApplicationCase } from "../../applications.ts";

/** What each file of this folder exports: starts a server on 127.0.0.1 and gives its free port. */
export type Listen = (input: ApplicationCase) => Promise<number>;

export const hostname = "127.0.0.1";
