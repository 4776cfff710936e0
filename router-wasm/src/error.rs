//! Why a route is refused.

/// What is wrong with a pattern. `Router::position` says where. The numbers cross the WebAssembly border; the matcher in
/// TypeScript holds the sentence for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// The same method has a route of this shape; `Router::position` is that route.
    Duplicate = 1,
    /// The pattern does not begin with `/`.
    NoLeadingSlash = 2,
    /// `:` without a name after it.
    MissingName = 3,
    /// A name stands twice in the pattern.
    RepeatedName = 4,
    /// Two parameters with no text between them.
    TouchingParameters = 5,
    /// `*` before the last segment.
    WildcardNotLast = 6,
    /// `*` with text around it.
    WildcardNotWhole = 7,
    /// `?` that does not end a segment made of one parameter.
    OptionalNotWhole = 8,
    /// `:name+` or `:name*`.
    RepeatModifier = 9,
    /// A character of the pattern syntax that stands for itself must be escaped.
    ReservedCharacter = 10,
    /// `:name{…}`: a constraint is written `:name(…)`.
    BraceConstraint = 11,
    /// A parenthesis without its partner.
    UnbalancedParenthesis = 12,
    /// `:name()`.
    EmptyConstraint = 13,
    /// The constraint needs more than a regular expression: lookaround, a backreference, `\b`.
    NotRegular = 14,
    /// The constraint is no regular expression.
    InvalidConstraint = 15,
    /// The constraint has more than 64 characters once its `{m,n}` are written out.
    ConstraintTooLarge = 16,
    /// More than six optional parameters.
    TooManyOptionals = 17,
    /// A `%` without two hexadecimal digits, or escapes that are no UTF-8.
    MalformedEscape = 18,
    /// A backslash at the end, or before `/`, a letter or a digit.
    DanglingBackslash = 19,
    /// The pattern is longer than a path may be.
    TooLong = 20,
}
