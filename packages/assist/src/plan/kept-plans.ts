import type { Plan, Plans } from './plan.ts'
import { DEFAULT_PLAN } from './planner.ts'
import type { Report } from '../report.ts'

export const NO_PLANS: Plans = { current_plan: DEFAULT_PLAN, revision_history: [] }

const MOST_REVISIONS = 20

/** The plans after a new one replaces the current one. */
export function revised(
  { current_plan, revision_history }: Plans,
  plan: Plan,
  reason: string,
  timestamp: string,
): Plans {
  const revision = { timestamp, plan: current_plan, reason }
  return {
    current_plan: plan,
    revision_history: [...revision_history, revision].slice(-MOST_REVISIONS),
  }
}

/** Consecutive words that count as a quotation. */
const QUOTED = 3

/**
 * The plan in a form that may be stored: it outlives the conversation, so anything that quotes the user or the
 * draft, or repeats their names, is removed.
 */
export function withoutQuotes(plan: Plan, report: Report): Plan {
  const said = `${report.user_input}\n${report.draft ?? ''}`
  const isOwn = (text: string): boolean => !quotes(text, said)
  return {
    approach: isOwn(plan.approach.replaceAll('_', ' ')) ? plan.approach : 'unnamed_approach',
    altitude: plan.altitude,
    constraints: plan.constraints.filter(isOwn),
    focus: plan.focus.filter(isOwn),
  }
}

/** Whether a text repeats words of a conversation: several in a row, or a name or figure. */
export function quotes(text: string, said: string): boolean {
  const words = wordsOf(text)
  const heard = wordsOf(said)
  const runs = new Set(heard.map((_, at) => heard.slice(at, at + QUOTED).join(' ')))
  const isQuoted = words.some(
    (_, at) => at + QUOTED <= words.length && runs.has(words.slice(at, at + QUOTED).join(' ')),
  )
  if (isQuoted) return true
  // A sentence may begin with a name, and some people write names in lower case; the other text reveals them.
  const names = new Set([...namesIn(said), ...namesIn(text).intersection(new Set(heard))])
  return words.some((word) => names.has(word))
}

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Words with a digit, and words capitalized within a sentence. Linear time. */
function namesIn(said: string): ReadonlySet<string> {
  const names = new Set<string>()
  let end = 0
  for (const { 0: word, index } of said.matchAll(/[\p{L}\p{N}]+/gu)) {
    const [capital] = /^\p{Lu}\p{L}+/u.exec(word) ?? []
    if (capital !== undefined && isWithin(said.slice(end, index), end > 0)) {
      names.add(capital.toLowerCase())
    }
    if (/\p{N}/u.test(word)) names.add(word.toLowerCase())
    end = index + word.length
  }
  return names
}

/** Whether a sentence continues across the text between two words. */
function isWithin(gap: string, isAfterWord: boolean): boolean {
  const signs = gap.trimEnd()
  if (signs.length === gap.length) return false
  return signs === '' ? isAfterWord : ',;:)'.includes(signs.at(-1) ?? '.')
}
