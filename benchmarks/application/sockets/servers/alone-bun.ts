import { responseAlone } from "../../subjects/response-alone.ts";
import type { Listen } from "./listen.ts";
import { serveBun } from "./serve-bun.ts";

/** No framework, but the response of Espalier, on Bun's own server. */
export const listen: Listen = async (input) => serveBun(responseAlone.create(input));
