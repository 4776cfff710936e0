import { bare } from "./bare.ts";
import { espalier } from "./espalier.ts";
import { responseAlone } from "./response-alone.ts";
import type { Subject } from "./subject.ts";

/** Subjects that require no peers: Espalier, and no framework. */
export const subjects: readonly Subject[] = [bare, espalier, responseAlone];
