import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "../runner/list-files.ts";
import { root } from "../runner/root.ts";

/** A wording that is unusual in technical English. */
export interface AvoidedWording {
  /** Suggested replacement. */
  readonly instead: string;
  readonly pattern: RegExp;
}

/** Wordings that sources avoid: see the section about style in CONTRIBUTING.md. */
const avoidedWordings: readonly AvoidedWording[] = [
  {
    instead: "the role: the caller, a user, a client",
    pattern: /\b(?:some|no|any)body\b|\bwhoever\b|\bsomeone's word\b/gi,
  },
  {
    instead: "reports, logs, describes; knows",
    pattern:
      /\b(?:is|are|was|were|be|been|being|has|gets?) told\b|\btells? (?:of|whether|what|that|how|why|who|it|them)\b/gi,
  },
  {
    instead: "must be …; is not …",
    pattern:
      /\b(?:is|are|was|were|be) no (?!(?:longer|more|less|such|need|way|point|guarantee|difference|limit|effect)\b)[a-z]+\b|\b(?:is|are) none\b/gi,
  },
  {
    instead: "unknown",
    pattern: /\b(?:which|that) there (?:is|are) no(?:t|ne)?\b|\bthere are\b(?=\s*[`'"$])/gi,
  },
  {
    instead: "a docstring that opens with a verb in the third person or a noun",
    pattern:
      /\/\*\*\s+(?:What|Whether|Who|Whoever|Where)\b|^\s*(?:\*|\/\/[/!]) (?:What|Whether|Who)\b(?=[^?\n]*$)/gm,
  },
  {
    instead: "custom",
    pattern: /\bof (?:your|their|its|one's) own\b/gi,
  },
  {
    instead: "unnecessarily; and similar ones; the oldest; generates",
    pattern:
      /\bin vain\b|\band (?:its|their) kin\b|\beldest\b|\bdraws? (?:lots|a secret)\b|\bdrawn for\b/gi,
  },
  {
    instead: "boot, startup",
    pattern: /\bstops? the start\b|\bat the start\b/gi,
  },
  {
    instead: "implements, depends on, is attached to",
    pattern: /\bstands? behind\b|\bhangs? on\b/gi,
  },
  {
    instead: "lifecycle event; continues",
    pattern: /\bturns? of (?:its|the|an?) [a-z' ]*life\b|\bgoes on\b/gi,
  },
];

/** Occurrence of an avoided wording. */
export interface WordingHit {
  /** `file:line`, from the root of the repository. */
  readonly place: string;
  readonly text: string;
  readonly instead: string;
}

/** Avoided wordings of some files. */
export interface WordingCount {
  readonly lines: number;
  readonly hits: readonly WordingHit[];
  readonly hitsPerThousandLines: number;
}

/** Folders of installed or generated files. */
const skippedFolders =
  /(?:^|\/)(?:node_modules|dist|target|\.build|\.wrangler|\.vitepress\/cache)\//;

/** Finds avoided wordings in TypeScript, JavaScript, Rust and Markdown below some paths. */
export function countWording(paths: readonly string[]): WordingCount {
  const files = listFiles(paths).filter(
    (file) => /\.(?:[cm]?[jt]s|rs|md)$/.test(file) && !skippedFolders.test(file),
  );
  let lines = 0;
  const hits: WordingHit[] = [];
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    lines += text.trimEnd().split("\n").length;
    for (const { place, ...hit } of findWording(text)) {
      hits.push({ place: `${file}:${place}`, ...hit });
    }
  }
  return { lines, hits, hitsPerThousandLines: (1_000 * hits.length) / lines };
}

/** Finds avoided wordings in a text; `place` is the line. */
export function findWording(text: string): readonly WordingHit[] {
  return avoidedWordings.flatMap(({ instead, pattern }) =>
    [...text.matchAll(pattern)].map((match) => ({
      // A match may start with the whitespace before a comment.
      place: String(text.slice(0, match.index + match[0].search(/\S/)).split("\n").length),
      text: match[0].trim(),
      instead,
    })),
  );
}
