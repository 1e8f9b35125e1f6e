import { isJsonObject, type Json } from '../../core/value/json.ts'
import type { Answer, VerifiedTask } from '../answer.ts'
import type { Observed, VerifierEffect } from '../verifier.ts'
import type { Plan } from './plan.ts'

/** An opinion that was received. */
export interface Vote {
  /** The way in which it was found. */
  readonly way: string
  /** Undefined if the model gave no answer, or its program could not be computed. */
  readonly answer: Answer | undefined
}

/** The votes so far, and what to ask for next; nothing if there are enough. */
export interface Heard {
  readonly votes: readonly Vote[]
  readonly asks?: readonly VerifierEffect[]
}

/**
 * Reads the votes in the observations, in the order in which their effects were asked for. A refused effect ends the
 * asking, since the limit would refuse the next one too; a failed model call does not count as a vote.
 */
export function heard(
  { ways, atMost }: Plan,
  task: VerifiedTask,
  observed: readonly Observed[],
  isSettled: (votes: readonly Vote[]) => boolean,
): Heard {
  const votes: Vote[] = []
  let at = 0
  for (let asked = 0; asked < atMost && !isSettled(votes); asked++) {
    const way = ways[asked % ways.length]
    if (way === undefined) break
    const opinion = observed[at++]
    if (opinion === undefined) return { votes, asks: [way.ask(task)] }
    if (opinion.type === 'refused') break
    if (opinion.type !== 'generated') continue
    const calls = way.program?.(opinion)
    if (calls === undefined) {
      votes.push({ way: way.name, answer: way.answer?.(opinion) })
      continue
    }
    const computed = observed[at++]
    if (computed === undefined) return { votes, asks: [{ type: 'call-tools', calls }] }
    if (computed.type === 'refused') break
    votes.push({ way: way.name, answer: computedAnswer(computed) })
  }
  return { votes }
}

/** The value of the last call, where all went well. */
function computedAnswer(computed: Observed): Answer | undefined {
  if (computed.type !== 'tools-called') return undefined
  const last = computed.outcomes.at(-1)
  if (last?.type !== 'ok' || computed.outcomes.some(({ type }) => type !== 'ok')) return undefined
  return answerOf(last.value)
}

/** Tools give a value by itself, or under the name `value` or `result`. */
function answerOf(value: Json): Answer {
  const found = isJsonObject(value) ? (value['value'] ?? value['result'] ?? value) : value
  return typeof found === 'object' && found !== null
    ? { type: 'json', value: found }
    : { type: 'text', text: String(found) }
}
