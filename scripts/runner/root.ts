import { fileURLToPath } from "node:url";

/** Root folder of the repository, ending with a slash. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));
