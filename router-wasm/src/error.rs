//! Reasons to reject a route.

/// Error in a pattern. `Router::position` is its offset. The numbers are part of the interface of
/// the WebAssembly module; the TypeScript matcher has a message for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// A route with this method and shape exists; `Router::position` is its number.
    Duplicate = 1,
    /// The pattern does not start with `/`.
    NoLeadingSlash = 2,
    /// `:` is not followed by a name.
    MissingName = 3,
    /// A parameter name is used twice in the pattern.
    RepeatedName = 4,
    /// Two parameters follow each other without text between them.
    TouchingParameters = 5,
    /// `*` is not in the last segment.
    WildcardNotLast = 6,
    /// `*` is not a whole segment.
    WildcardNotWhole = 7,
    /// `?` follows a parameter that is not a whole segment.
    OptionalNotWhole = 8,
    /// Unsupported modifier: `:name+` or `:name*`.
    RepeatModifier = 9,
    /// A character of the pattern syntax is not escaped.
    ReservedCharacter = 10,
    /// A constraint is in braces, `:name{…}`, instead of parentheses.
    BraceConstraint = 11,
    /// A parenthesis is not balanced.
    UnbalancedParenthesis = 12,
    /// The constraint is empty: `:name()`.
    EmptyConstraint = 13,
    /// The constraint is not a regular language: lookaround, a backreference, `\b`.
    NotRegular = 14,
    /// The constraint is not a valid regular expression.
    InvalidConstraint = 15,
    /// The constraint has more than 64 characters after `{m,n}` has been expanded.
    ConstraintTooLarge = 16,
    /// The pattern has more than six optional parameters.
    TooManyOptionals = 17,
    /// `%` is not followed by two hexadecimal digits, or the escapes are not valid UTF-8.
    MalformedEscape = 18,
    /// A backslash is at the end, or before `/`, a letter or a digit.
    DanglingBackslash = 19,
    /// The pattern is longer than `MAX_PATH`.
    TooLong = 20,
}
