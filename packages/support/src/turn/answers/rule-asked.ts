import { SECTIONS } from '../../knowledge/known-sections.ts'
import { clausesOf } from '../../understand/clauses.ts'
import type { Command } from '../../understand/command.ts'
import { type Facet, facetsOf } from '../../understand/facets.ts'
import type { SupportState } from '../support-state.ts'

/** The sections that tell the rule for what a question is about. */
const OF_FACETS: readonly (readonly [Facet, string])[] = [
  ['shipping', SECTIONS.deliveryCost],
  ['cancel', SECTIONS.cancelling],
  ['return', SECTIONS.returns],
]

/**
 * "Did I pay for delivery? What's the rule?": the rule is that for what is asked beside it, or was asked before, and
 * no other one. The other commands stay.
 */
export function withRuleAsked(
  { text, history }: SupportState,
  commands: readonly Command[],
): readonly Command[] {
  const clauses = clausesOf(text)
  const isAsked = (clause: string): boolean =>
    RULE.test(clause) || (clauses.length > 1 && WORKS.test(clause))
  const asked = clauses.find(isAsked)
  if (asked === undefined) return commands
  const beside = clauses.filter((clause) => clause !== asked).join(', ')
  const before = history.findLast(({ role }) => role === 'user')?.text ?? ''
  const section = sectionOf(beside) ?? (clauses.length === 1 ? sectionOf(before) : null)
  if (section === null) return commands
  const others = commands.filter(({ type }) => !OF_RULES.has(type))
  return [...others, { type: 'ask-knowledge', question: section }]
}

function sectionOf(text: string): string | null {
  const facets = facetsOf(text)
  return OF_FACETS.find(([facet]) => facets.includes(facet))?.[1] ?? null
}

const OF_RULES: ReadonlySet<Command['type']> = new Set(['ask-knowledge', 'unclear', 'follow-up'])

/** A question for a rule that says by itself of nothing what it is for. */
const RULE =
  /^\W*(?:(?:and|so|but|then|ok(?:ay)?|just|or|also)[\s,]+)*(?:what(?:['’]?s| is| are| was| were)?|is there|are there|tell me) (?:the |your |a |any |some )?(?:general |usual |normal |exact )?(?:rules?|polic(?:y|ies)|limits?|conditions?)(?: (?:there|here|again|then|for (?:that|it|this|these)|on (?:that|it|this)|about (?:that|it|this)|with (?:that|it|this)|in general|anyway|exactly|please))*\W*$/iu
/** The same beside something else. */
const WORKS =
  /^\W*(?:(?:and|so|but|then|ok(?:ay)?|just|or|also)[\s,]+)*how (?:does|do|did|is|was) (?:that|it|this)(?: (?:usually|normally|actually))? (?:work|calculated|decided|handled)(?: (?:here|then|exactly))*\W*$/iu
