import { lazy } from "../util/lazy.ts";
import { listProperties } from "./list-properties.ts";
import type { MergedSource } from "./merge.ts";
import { isRecord, NullObject } from "./null-object.ts";
import {
  type CheckedRequest,
  type RequestCheck,
  RequestInput,
  settleRequest,
} from "./request-input.ts";
import { buildRuleTree } from "./rule-tree.ts";
import type { LooseRule, Source } from "./rules.ts";
import { checkSourceSchema } from "./source-schema.ts";
import {
  compileSourceCheck,
  type SourceCheck,
  type ValidationInput,
  wholeSource,
} from "./sources.ts";
import type { StandardSchemaV1 } from "./standard-schema.ts";
import { type ValidationResult, ValidationRun } from "./validation-run.ts";

/** The rules and schema of one source. */
export interface SourceDescription {
  /** The merged, unparsed rules by field, in the order of their errors. */
  readonly rules: ReadonlyMap<string, LooseRule>;
  readonly schema: StandardSchemaV1 | undefined;
}

/** The validation of a route, compiled at boot. */
export interface CompiledValidation extends RequestCheck {
  /**
   * Checks one request. Returns a promise only if a `custom` or a Standard Schema is asynchronous.
   *
   * An error thrown by a `custom` or a schema is rethrown, or rejects the promise: it is not a
   * validation failure.
   */
  run(input: ValidationInput): ValidationResult | Promise<ValidationResult>;
  /** Returns the merged rules, for the OpenAPI document. Fields of a DELETE are listed in its query. */
  describe(): ReadonlyMap<Source, SourceDescription>;
}

/** The compiled validation of one source. */
interface SourceStep {
  readonly source: Source;
  readonly check: SourceCheck;
  readonly schema: StandardSchemaV1 | undefined;
  /** Names of the schema's lists; read on first use, since the conversion takes a moment. */
  readonly lists: () => ReadonlySet<string>;
  readonly schemaOrder: number;
  /** True if the schema's output is the only value of the source: it is then used unchanged. */
  readonly isAlone: boolean;
}

/** The validated value under construction, used if nothing fails. */
interface Outcome {
  /** All fields, or the fields grouped by source. */
  readonly fields: NullObject;
  /** Equal to `fields`, or the output of the only schema. */
  value: unknown;
}

/** The validation of one route with known sources of its fields. */
export class Validation implements CompiledValidation {
  readonly #sources: ReadonlyMap<Source, MergedSource>;
  readonly #isFlat: boolean;
  readonly #steps: readonly SourceStep[];
  /** Keeps the shape of validated values: see {@link RequestContext.internalSample}. */
  readonly sample: NullObject = new NullObject();

  constructor(sources: ReadonlyMap<Source, MergedSource>, isFlat: boolean) {
    this.#sources = sources;
    this.#isFlat = isFlat;
    this.#steps = [...sources].map(([source, { rules, schema, schemaOrder }]) => {
      const fields = buildRuleTree(rules);
      const sample = this.#targetIn(this.sample, source);
      for (const name of fields.keys()) sample[name] = undefined;
      return {
        source,
        check: compileSourceCheck(source, fields),
        schema,
        lists: lazy(() => (schema === undefined ? new Set<string>() : listProperties(schema))),
        schemaOrder,
        isAlone: rules.size === 0 && (!isFlat || sources.size === 1),
      };
    });
  }

  /** Returns the object that receives the fields of a source, which it adds to `fields` unless they are flat. */
  #targetIn(fields: NullObject, source: Source): NullObject {
    if (this.#isFlat) return fields;
    const target = new NullObject();
    fields[source] = target;
    return target;
  }

  checkRequest(
    request: CheckedRequest,
    bodyKind: ValidationInput["bodyKind"],
  ): Promise<void> | undefined {
    return settleRequest(this.run(new RequestInput(request, bodyKind)), request);
  }

  run(input: ValidationInput): ValidationResult | Promise<ValidationResult> {
    const run = new ValidationRun(input.context);
    const fields = new NullObject();
    const outcome: Outcome = { fields, value: fields };
    try {
      for (const step of this.#steps) {
        const target = this.#targetIn(fields, step.source);
        run.target = target;
        step.check(input, run, target);
        if (step.schema !== undefined) this.#checkSchema(step, step.schema, input, run, outcome);
      }
    } catch (error) {
      run.abandon();
      throw error;
    }
    return run.finish(outcome);
  }

  #checkSchema(
    step: SourceStep,
    schema: StandardSchemaV1,
    input: ValidationInput,
    run: ValidationRun,
    outcome: Outcome,
  ): void {
    const { target } = run;
    checkSourceSchema(schema, wholeSource(step.source, input, step.lists), {
      run,
      order: step.schemaOrder,
      name: step.source,
      receive: (output) => this.#receive(output, step, target, outcome),
    });
  }

  /** Merges a schema's output into the result; values of rules take precedence. */
  #receive(output: unknown, step: SourceStep, target: NullObject, outcome: Outcome): void {
    if (step.isAlone && this.#isFlat) outcome.value = output;
    else if (step.isAlone) outcome.fields[step.source] = output;
    else if (!isRecord(output)) target[step.source] = output;
    else {
      for (const [name, value] of Object.entries(output)) {
        if (!Object.hasOwn(target, name)) target[name] = value;
      }
    }
  }

  describe(): ReadonlyMap<Source, SourceDescription> {
    const described = new Map<Source, SourceDescription>();
    for (const [source, { rules, schema }] of this.#sources) {
      const written = new Map([...rules].map(([field, { rule }]) => [field, rule] as const));
      described.set(source, { rules: written, schema });
    }
    return described;
  }
}
