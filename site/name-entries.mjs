import { Converter, ReflectionKind } from "typedoc";

/**
 * A plugin of TypeDoc: modules are called what an import calls them.
 *
 * @param {import("typedoc").Application} application
 */
export function load(application) {
  application.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.getReflectionsByKind(ReflectionKind.Module)) {
      module.name = module.name === "index" ? "espalier" : `espalier/${module.name}`;
    }
  });
}
