export const languages = ["en", "fr", "pt", "sw"] as const;

export type Language = (typeof languages)[number];

const salutations: Record<Language, string> = {
  en: "Hello",
  fr: "Bonjour",
  pt: "Olá",
  sw: "Habari",
};

/** Returns a greeting: `greet("Ada", "fr")` is `"Bonjour, Ada!"`. */
export function greet(name: string, language: Language): string {
  return `${salutations[language]}, ${name}!`;
}
