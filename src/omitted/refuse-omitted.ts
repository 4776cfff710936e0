import { EspalierError } from "../errors.ts";

/**
 * Replaces a part of the framework in bundles that are built without it.
 *
 * @throws EspalierError `ERR_APPLICATION_OMITTED`, when the application loads the part
 */
export function refuseOmitted(part: string): never {
  throw new EspalierError(
    "ERR_APPLICATION_OMITTED",
    `The application uses a part that its bundle was built without. Remove the condition "espalier-no-${part}" ` +
      "from the options of the bundler.",
  );
}
