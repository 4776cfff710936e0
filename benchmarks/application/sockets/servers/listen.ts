import type { ApplicationCase } from "../../applications.ts";

/** Export of each file of this folder: starts a server on 127.0.0.1 and returns its port. */
export type Listen = (input: ApplicationCase) => Promise<number>;

export const hostname = "127.0.0.1";
