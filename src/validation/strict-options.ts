import type { Source } from "./rules.ts";
import type { StrictSource, StrictValidation } from "./strict-rules.ts";

/** The message is the type that the compiler shows as expected. */
type StrictNames<Names, Known> =
  Exclude<Names, Known> extends never
    ? unknown
    : { readonly [Name in Exclude<Names, Known> & string]: `there is no option ${Name}` };

type RuleOption = Source | "validation" | "responses";

/** Rules in responses, by status. */
type StrictResponses<Responses> = {
  readonly [Status in keyof Responses]: StrictResponse<Responses[Status]>;
};

type StrictResponse<Response> = Response extends string
  ? unknown
  : { readonly [Name in keyof Response]: StrictResponseMember<Response, Name> };

type StrictResponseMember<Response, Name extends keyof Response> = Name extends "data" | "body"
  ? Response[Name] extends readonly [infer Element]
    ? readonly [StrictSource<Element>]
    : StrictSource<Response[Name]>
  : Name extends ResponseMember
    ? unknown
    : `a response has no member ${Name & string}`;

type ResponseMember = "description" | "type" | "schema" | "example";

type StrictRuleOptions<Given> = [keyof Given & RuleOption] extends [never]
  ? unknown
  : {
      readonly [Name in keyof Given & RuleOption]?: Name extends Source
        ? StrictSource<Given[Name]>
        : Name extends "validation"
          ? StrictValidation<Given[Name]>
          : StrictResponses<Given[Name]>;
    };

/**
 * Constraint of options whose literal types are inferred: the compiler does not look for unknown names there.
 * It contains a message in place of each name that is not in `Known`, and of each unknown key of a rule.
 */
export type Strict<Given, Known> = StrictNames<keyof Given, keyof Known> & StrictRuleOptions<Given>;
