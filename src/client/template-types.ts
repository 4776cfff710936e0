import type { NameCharacter, SkipConstraint } from "../routing/path-types.ts";

/**
 * The path templates of a pattern, as in the OpenAPI document: `/books/{id}` for `/books/:id`. A pattern with an
 * optional segment has two, with and without it.
 */
export type TemplateOf<Pattern extends string> = Pattern extends `${infer Before}:${infer After}`
  ? Before extends `${infer Text}\\`
    ? `${Text}:${TemplateOf<After>}`
    : After extends `${string}?${string}`
      ? OptionalTemplate<Before, Parameter<After>>
      : JoinParameter<Before, Parameter<After>>
  : WildcardTemplate<Pattern>;

type WildcardTemplate<Text extends string> = Text extends `${infer Before}/*${infer Name}`
  ? `${Before}/{${Name extends "" ? "rest" : Name}}`
  : Text;

type JoinParameter<Before extends string, Found> = Found extends readonly [
  infer Name extends string,
  infer Rest extends string,
]
  ? `${Before}{${Name}}${TemplateOf<Rest>}`
  : never;

/** An optional parameter is a whole segment, which is left out with its slash. */
type OptionalTemplate<Before extends string, Found> = Found extends readonly [
  string,
  `?${infer Rest}`,
]
  ? WithoutSegment<Before, TemplateOf<Rest>> | JoinParameter<Before, readonly [Found[0], Rest]>
  : JoinParameter<Before, Found>;

type WithoutSegment<Before extends string, Rest extends string> = Before extends `${infer Text}/`
  ? `${Text}${Rest}` extends ""
    ? "/"
    : `${Text}${Rest}`
  : never;

/** Name of the leading parameter, and the rest of the text after its constraint. */
type Parameter<
  Text extends string,
  Name extends string = "",
> = Text extends `${infer First}${infer Rest}`
  ? First extends NameCharacter
    ? Parameter<Rest, `${Name}${First}`>
    : First extends "("
      ? readonly [Name, SkipConstraint<Rest>]
      : readonly [Name, Text]
  : readonly [Name, ""];

/** Joins the prefix of routes and the path of one of them. */
export type JoinPath<Prefix extends string, Path extends string> = Path extends "" | "/"
  ? Trimmed<Prefix> extends ""
    ? "/"
    : Trimmed<Prefix>
  : Path extends `/${string}`
    ? `${Trimmed<Prefix>}${Path}`
    : `${Trimmed<Prefix>}/${Path}`;

type Trimmed<Prefix extends string> = Prefix extends `${infer Before}/` ? Before : Prefix;

/** Names of the parameters in a template. */
export type TemplateNames<Template> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | TemplateNames<Rest>
  : never;
