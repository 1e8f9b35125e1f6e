import { isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { Instead, PolicyDecision } from '../primitives/policy-engine.ts'
import type { Condition, PolicyEffect, PolicyRule, PolicyRules, WayOut } from './rule.ts'

/** A rule that a call breaks. */
interface Breach {
  readonly rule: Pick<PolicyRule, 'id' | 'effect' | 'final' | 'because' | 'instead'>
  /** Why the rule could not be judged; `null` if it was judged and does not hold. */
  readonly unknown: string | null
}

/** The name of the tool list in a decision. */
const ALLOWED_TOOLS = 'tools'

/** Characters of the reason why a rule could not be judged. */
const MOST_REASON = 120

const UNKNOWN_TOOL = 'that is not something I may do'
const UNJUDGED = 'it could not be checked whether it is allowed'

/**
 * Judges one call by the facts, of which `tool` and `params` are the call. Fails closed: an unlisted tool, a
 * condition that throws, one that returns no boolean, and a missing fact all mean no. An additional rule never
 * allows more, and rules on trial decide nothing.
 */
export function judge(policy: PolicyRules, facts: JsonObject): PolicyDecision {
  const tool = facts['tool']
  const rules = policy.rules.filter((rule) => rule.tools.some((name) => name === tool))
  const isListed = policy.tools.some((name) => name === tool)
  const known = { ...facts, constants: policy.constants }
  const all = rules.map((rule) => ({ rule, breach: breachOf(rule, known) }))
  const decide = (considered: typeof all): PolicyDecision =>
    isListed ? decisionOf(considered, known) : unknownTool
  const enforced = all.filter(({ rule }) => rule.mode === 'enforce')
  if (policy.mode === 'shadow') return { ...FREE, shadow: told(decide(all)) }
  if (enforced.length === all.length) return decide(all)
  return { ...decide(enforced), shadow: told(decide(all)) }
}

/** The decision if nothing is enforced. */
const FREE: PolicyDecision = { allowed: true, violations: [], requiresEscalation: false, rules: [] }

const unknownTool: PolicyDecision = {
  allowed: false,
  violations: [UNKNOWN_TOOL],
  requiresEscalation: false,
  rules: [ALLOWED_TOOLS],
}

/** Combines decisions: all must allow. A refusal outranks a person's approval, and hiding outranks both. */
export function allOf(decisions: readonly PolicyDecision[]): PolicyDecision {
  const trials = decisions.flatMap(({ shadow }) => (shadow === undefined ? [] : [shadow]))
  const [trial] = trials
  const refused = decisions.filter(({ allowed }) => !allowed)
  const hidden = refused.find(({ asNotFound }) => asNotFound === true)
  const denied = refused.filter(({ requiresEscalation }) => !requiresEscalation)
  const making = hidden ? [hidden] : denied.length > 0 ? denied : refused
  const ways = making.flatMap(({ instead }) => (instead === undefined ? [] : [instead]))
  return {
    allowed: refused.length === 0,
    violations: [...new Set(making.flatMap(({ violations }) => violations))],
    requiresEscalation: refused.length > 0 && denied.length === 0,
    rules: [
      ...new Set((refused.length === 0 ? decisions : making).flatMap(({ rules = [] }) => rules)),
    ],
    ...(hidden && { asNotFound: true }),
    ...(ways[0] !== undefined && { instead: ways[0] }),
    ...(trial !== undefined && { shadow: trials.length === 1 ? trial : trials }),
  }
}

interface Judged {
  readonly rule: PolicyRule
  /** `null` for a rule that holds. */
  readonly breach: Breach | 'not about it' | null
}

function decisionOf(judged: readonly Judged[], facts: JsonObject): PolicyDecision {
  const breaches = judged.flatMap(({ breach }) =>
    breach === null || breach === 'not about it' ? [] : [breach],
  )
  if (breaches.length === 0) {
    const kept = judged.filter(({ breach }) => breach === null)
    return { ...FREE, rules: [ALLOWED_TOOLS, ...kept.map(({ rule }) => rule.id)] }
  }
  const making = makingOf(breaches)
  const instead = insteadOf(making, facts)
  return {
    allowed: false,
    violations: [...new Set(making.map((breach) => sentenceOf(breach, facts)))],
    // Considers all breaches, reported or not: a person is never asked to approve what another rule forbids.
    requiresEscalation: breaches.every((breach) => effectOf(breach) === 'escalate'),
    rules: making.map(({ rule, unknown }) =>
      unknown === null ? rule.id : `${rule.id} (${unknown})`,
    ),
    ...(making.some((breach) => effectOf(breach) === 'not_found') && { asNotFound: true }),
    ...(instead !== null && { instead }),
  }
}

/** The breaches to report: only a hiding one if there is one, else refusals, else those that a person may waive. */
function makingOf(breaches: readonly Breach[]): readonly Breach[] {
  const last = breaches.find(({ rule }) => rule.final || rule.effect === 'not_found')
  if (last !== undefined) return [last]
  const denied = breaches.filter((breach) => effectOf(breach) === 'deny')
  return denied.length > 0 ? denied : breaches
}

/**
 * A person is not asked to approve what could not be judged, and it is not reported as absent: a failed lookup
 * would read like a missing order.
 */
const effectOf = ({ rule, unknown }: Breach): PolicyEffect =>
  unknown === null ? rule.effect : 'deny'

function breachOf(rule: PolicyRule, facts: JsonObject): Breach | 'not about it' | null {
  const applies = rule.when === null ? true : outcome(rule.when, facts)
  if (applies === false) return 'not about it'
  const holds = applies === true ? outcome(rule.require, facts) : applies
  if (holds === true) return null
  return { rule, unknown: holds === false ? null : holds }
}

/** True, false, or why neither. */
function outcome(condition: Condition, facts: JsonObject): boolean | string {
  try {
    const value = condition(facts)
    return typeof value === 'boolean' ? value : 'neither true nor false'
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return message.split('\n')[0]?.slice(0, MOST_REASON) || 'it failed'
  }
}

/** What can be done instead of what was refused: of the first rule that knows something that is possible. */
function insteadOf(breaches: readonly Breach[], facts: JsonObject): Instead | null {
  const ways = breaches.flatMap(({ rule, unknown }) =>
    unknown === null ? (rule.instead ?? []) : [],
  )
  const way = ways.find(({ when }: WayOut) => when === null || outcome(when, facts) === true)
  return way === undefined ? null : { say: filled(way.say, facts), offer: way.offer }
}

const sentenceOf = ({ rule, unknown }: Breach, facts: JsonObject): string =>
  unknown === null ? filled(rule.because, facts) : UNJUDGED

function filled(text: string, facts: JsonObject): string {
  const sources = [facts['params'], facts['order'], facts['constants']].filter(isJsonObject)
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const source = sources.find((each) => Object.hasOwn(each, name))
    return inWords(source?.[name])
  })
}

/** Parameters hold untrusted text: keep it short, and on one line. */
const inWords = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .replaceAll(/\s+/g, ' ')
        // A state such as `in_transit`.
        .replace(/^[a-z]+(?:_[a-z]+)+$/, (name) => name.replaceAll('_', ' '))
        .slice(0, 60)
    : 'it'

const told = ({
  allowed,
  violations,
  requiresEscalation,
  rules = [],
}: PolicyDecision): JsonObject => ({
  allowed,
  violations,
  requiresEscalation,
  rules,
})
