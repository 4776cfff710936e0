/** The parameters of a path without parameters. */
export type NoParams = Record<never, string>;

/**
 * The parameters of a path pattern, by name.
 *
 * `PathParams<"/users/:id/:tab?">` is `{ id: string; tab?: string }`; an unnamed wildcard has the key `"*"`.
 * A path that is not a literal type yields `Record<string, string>`.
 */
export type PathParams<Path extends string> = string extends Path
  ? Record<string, string>
  : Path extends `*${infer Name}`
    ? Flatten<WildcardOf<`/*${Name}`>>
    : Flatten<ParamsOf<Path>>;

/** The parameters of a group's prefix and of a path inside the group. */
export type JoinParams<Outer, Path extends string> = Flatten<Outer & PathParams<Path>>;

/**
 * Flattens an intersection into one object type. With `& {}` errors and editors show its content, `{ id:
 * string }`, instead of its name.
 */
type Flatten<Type> = { [Key in keyof Type]: Type[Key] } & {};

/** Iterates from colon to colon; the rest after the last one may end in a wildcard. */
type ParamsOf<Path extends string> = Path extends `${infer Before}:${infer After}`
  ? Before extends `${string}\\`
    ? ParamsOf<After>
    : AfterName<After>
  : WildcardOf<Path>;

type WildcardOf<Path extends string> = Path extends `${string}/*${infer Name}`
  ? Record<Name extends "" ? "*" : Name, string>
  : NoParams;

/** Splits `id(\d+)?/rest` into the name and the rest. */
type AfterName<
  Text extends string,
  Name extends string = "",
> = Text extends `${infer First}${infer Rest}`
  ? First extends NameCharacter
    ? AfterName<Rest, `${Name}${First}`>
    : First extends "("
      ? AfterMark<SkipConstraint<Rest>, Name>
      : AfterMark<Text, Name>
  : AfterMark<"", Name>;

type AfterMark<Text extends string, Name extends string> = Text extends `?${infer Rest}`
  ? { [Key in Name]?: string } & ParamsOf<Rest>
  : Record<Name, string> & ParamsOf<Text>;

/**
 * Removes everything up to the closing parenthesis of a constraint, skipping escapes and character classes.
 */
export type SkipConstraint<
  Text extends string,
  Depth extends readonly unknown[] = [],
  InClass extends boolean = false,
> = Text extends `${infer First}${infer Rest}`
  ? First extends "\\"
    ? Rest extends `${string}${infer Behind}`
      ? SkipConstraint<Behind, Depth, InClass>
      : ""
    : InClass extends true
      ? SkipConstraint<Rest, Depth, First extends "]" ? false : true>
      : First extends "["
        ? SkipConstraint<Rest, Depth, true>
        : First extends "("
          ? SkipConstraint<Rest, [...Depth, unknown]>
          : First extends ")"
            ? Depth extends readonly [unknown, ...infer Outer]
              ? SkipConstraint<Rest, Outer>
              : Rest
            : SkipConstraint<Rest, Depth>
  : "";

/** A character of a parameter's name. */
export type NameCharacter = Letter | Uppercase<Letter> | Digit | "_" | "$";
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Letter =
  | "a"
  | "b"
  | "c"
  | "d"
  | "e"
  | "f"
  | "g"
  | "h"
  | "i"
  | "j"
  | "k"
  | "l"
  | "m"
  | "n"
  | "o"
  | "p"
  | "q"
  | "r"
  | "s"
  | "t"
  | "u"
  | "v"
  | "w"
  | "x"
  | "y"
  | "z";
