import { responseAlone } from "../../subjects/response-alone.ts";
import type { Listen } from "./listen.ts";
import { serveDeno } from "./serve-deno.ts";

/** No framework, but the response of Espalier, on Deno's own server. */
export const listen: Listen = async (input) => serveDeno(responseAlone.create(input));
