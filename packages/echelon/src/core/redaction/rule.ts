/** Finds personal data or a secret of one kind in free text. */
export interface ContentRule {
  /** Appears in the replacement: `[redacted:kind]`. */
  readonly kind: string
  /**
   * Global. Repetitions that hostile text could start in many places are bounded, so that matching takes
   * linear time.
   */
  readonly pattern: RegExp
  /** Not global. Text without a match for it is skipped, which is faster than running the pattern. */
  readonly sign?: RegExp
  /** Shortens a match from its start to the real value; undefined if the match is not a value. For checks that a pattern can't do. */
  readonly part?: (found: string) => string
}

/** Rules that are skipped as a group for text without their common hint. */
export interface RuleGroup {
  /** Not global. */
  readonly sign: RegExp
  readonly rules: readonly ContentRule[]
}

/** Replaces every match of the rules, in order: a rule sees the output of the ones before it. */
export function applyRules(text: string, groups: readonly RuleGroup[], mark: Mark): string {
  let left = text
  for (const { sign, rules } of groups) {
    if (sign.test(left)) left = rules.reduce((before, rule) => applyRule(before, rule, mark), left)
  }
  return left
}

function applyRule(text: string, { kind, pattern, sign, part }: ContentRule, mark: Mark): string {
  if (sign?.test(text) === false) return text
  return text.replaceAll(pattern, (found: string) => {
    const hidden = part === undefined ? found : part(found)
    return hidden === '' ? found : `${mark(kind, hidden)}${found.slice(hidden.length)}`
  })
}

/**
 * Creates the replacement for a hidden value. It starts with `[redacted` and ends with `]`, so that it
 * can be recognized.
 * @param kind of the match; undefined where a field name hides the whole value
 * @param value the hidden text, or any value of a field
 */
export type Mark = (kind: string | undefined, value: unknown) => string

export const placeholder: Mark = (kind) => (kind === undefined ? REDACTED : `[redacted:${kind}]`)

export const REDACTED = '[redacted]'
