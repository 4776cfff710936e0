import { EspalierError } from "../errors.ts";
import type { Config } from "../register.ts";
import { nearestNames } from "../util/nearest-names.ts";
import { ConfigurationError, type ConfigurationIssue } from "./configuration-error.ts";
import { resolveSection } from "./resolve-section.ts";
import { parseSection, type Section, type Values } from "./section.ts";
import type {
  ConfigSectionDeclaration,
  ConfigSectionSource,
  LooseConfigSection,
  UndeclaredConfigSection,
} from "./section-types.ts";

/**
 * The configuration sections of an application.
 *
 * ```ts
 * configuration.define("app", { schema: { port: Number }, defaults: { port: 3000 } });
 * configuration.get("app"); // { port: 8080 } with APP_PORT=8080 in the environment
 * ```
 */
export class Configuration {
  readonly #sections: Map<string, Section> = new Map();
  readonly #resolved: Map<string, Values> = new Map();
  readonly #environment: () => Values;

  /** @param environment the variables, read when a section is resolved and not before */
  constructor(environment: () => Values) {
    this.#environment = environment;
  }

  /**
   * Declares a section: by `schema` and `defaults`, or by rules and their source. Declaring a section
   * again replaces it.
   *
   * @throws EspalierError `ERR_CONFIG_BAD_SECTION` for a declaration that cannot be read
   */
  define<Name extends keyof Config & string>(
    name: Name,
    optionsOrRules: ConfigSectionDeclaration<Config[Name] & object>,
    source?: ConfigSectionSource<Config[Name] & object>,
  ): void;
  define<Declared extends object = LooseConfigSection, Name extends string = string>(
    name: UndeclaredConfigSection<Name>,
    optionsOrRules: ConfigSectionDeclaration<NoInfer<Declared>>,
    source?: ConfigSectionSource<NoInfer<Declared>>,
  ): void;
  define(
    name: string,
    optionsOrRules: ConfigSectionDeclaration,
    source?: ConfigSectionSource,
  ): void {
    this.#sections.set(name, parseSection(name, optionsOrRules, source));
    this.#resolved.delete(name);
  }

  /**
   * Returns the frozen values of a section. Resolves it on the first call unless {@link validateAll} has.
   *
   * @throws EspalierError `ERR_CONFIG_UNKNOWN_SECTION` with the nearest names;
   *   ConfigurationError (`ERR_CONFIG_INVALID`) with all that is wrong with the section
   */
  get<Name extends keyof Config>(name: Name): Readonly<Config[Name]>;
  get<Declared = Readonly<LooseConfigSection>>(name: string): Declared;
  get(name: string): unknown {
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    const section = this.#sections.get(name);
    if (section === undefined) throw unknownSection(name, [...this.#sections.keys()]);
    const { values, issues } = resolveSection(section, this.#environment());
    if (issues.length > 0) throw new ConfigurationError(issues);
    this.#resolved.set(name, values);
    return values;
  }

  /**
   * Resolves every section again from the current environment and returns all issues; an empty list when
   * the configuration is valid. Sections without an issue can be read afterwards.
   */
  validateAll(): readonly ConfigurationIssue[] {
    const environment = this.#environment();
    return [...this.#sections].flatMap(([name, section]) => {
      const { values, issues } = resolveSection(section, environment);
      if (issues.length === 0) this.#resolved.set(name, values);
      else this.#resolved.delete(name);
      return issues;
    });
  }
}

function unknownSection(name: string, known: readonly string[]): EspalierError {
  return new EspalierError(
    "ERR_CONFIG_UNKNOWN_SECTION",
    `Configuration section "${name}" is not declared.${nearestNames(name, known)}` +
      ` Declare it with configure("${name}", …).`,
  );
}
