import { bare } from "./bare.ts";
import { espalier } from "./espalier.ts";
import { responseAlone } from "./response-alone.ts";
import type { Subject } from "./subject.ts";

/** Ours and no framework at all: what runs where no peer is installed. */
export const subjects: readonly Subject[] = [bare, espalier, responseAlone];
