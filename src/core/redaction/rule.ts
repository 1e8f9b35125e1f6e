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
export function applyRules(text: string, groups: readonly RuleGroup[]): string {
  let left = text
  for (const { sign, rules } of groups) {
    if (sign.test(left)) left = rules.reduce(applyRule, left)
  }
  return left
}

function applyRule(text: string, { kind, pattern, sign, part }: ContentRule): string {
  if (sign?.test(text) === false) return text
  return text.replaceAll(pattern, (found: string) => {
    const hidden = part === undefined ? found : part(found)
    return hidden === '' ? found : `${placeholder(kind)}${found.slice(hidden.length)}`
  })
}

export const placeholder = (kind: string): string => `[redacted:${kind}]`
