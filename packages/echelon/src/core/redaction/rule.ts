/** What is looked for in free text: personal data or a secret of one kind. */
export interface ContentRule {
  /** Stands in place of what is found: `[redacted:kind]`. */
  readonly kind: string
  /**
   * Global. Repetitions that a hostile text could begin at many places are bounded, so that time
   * grows with the length and not with its square.
   */
  readonly pattern: RegExp
  /** Not global. Without it nothing is found, which is told faster than by the pattern. */
  readonly sign?: RegExp
  /** The part of a find, from its start, that it really is; what a pattern cannot tell. */
  readonly part?: (found: string) => string
}

/** Rules that find nothing where there is no sign of it, which is told faster. */
export interface RuleGroup {
  /** Not global. */
  readonly sign: RegExp
  readonly rules: readonly ContentRule[]
}

/** A text without what the rules find. Order counts: a rule sees what the ones before have left. */
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
 * What stands in place of what is hidden. It begins with `[redacted` and ends with `]`, so that it is
 * known for what it is.
 * @param kind of a find, or nothing where the name of a field hides the value whole
 * @param value what is hidden: a text, or any value of a field
 */
export type Mark = (kind: string | undefined, value: unknown) => string

export const placeholder: Mark = (kind) => (kind === undefined ? REDACTED : `[redacted:${kind}]`)

export const REDACTED = '[redacted]'
