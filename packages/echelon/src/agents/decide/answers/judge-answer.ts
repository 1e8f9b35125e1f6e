import type { Effect } from '../../../core/agent/effect.ts'
import type { Direct, Failed } from '../../../core/agent/observation.ts'
import type { Attempt } from '../../../verify/answer.ts'
import type { Ruling } from '../../../verify/gate.ts'
import { ruleBy } from '../../../verify/rule-on.ts'
import type { AskModel, Observed, VerifierEffect } from '../../../verify/verifier.ts'
import type { Trouble } from '../act-gate.ts'
import type { PhaseOf } from '../state.ts'
import { proved, unproved, type Verdict } from '../verification/verdict.ts'
import type { AnswerGate } from './answer-gate.ts'

/** An answer that is being judged, with what its verifier was told so far. */
export type Judging = PhaseOf<'judge'>

/** The input of judging, beside the answer. */
export interface Bench {
  readonly gate: AnswerGate
  /** The role of the model that answered. */
  readonly own: string
  readonly timeoutMs: number
}

/** The ruling, or what the runtime must do first. */
export type Judged =
  | { readonly type: 'ruled'; readonly ruling: Ruling }
  | { readonly type: 'asks'; readonly here: Judging; readonly effects: readonly VerifierEffect[] }

/** Judges an answer by what was observed so far. Asks that no model can answer fail at once. */
export function judgeAnswer(before: Judging, gate: AnswerGate): Judged {
  let here = before
  for (;;) {
    const ruled = ruleBy(attemptOf(here), { ...gate, unchecked: 'promote' }, here.observed)
    if ('decision' in ruled) return { type: 'ruled', ruling: ruled }
    const { effects } = ruled
    if (effects.some((effect) => isPossible(effect, gate))) return { type: 'asks', here, effects }
    here = { ...here, observed: [...here.observed, ...effects.map(noModel)] }
  }
}

function attemptOf({ loop, answer, ran }: Judging): Attempt {
  const { task } = loop
  return {
    task: { question: task.input, wanted: task.wanted ?? { kind: 'text' }, today: task.today },
    answer,
    made: ran.map(({ call, outcome }) => ({ call, outcome })),
  }
}

const isPossible = (effect: VerifierEffect, { ask = {} }: AnswerGate): boolean =>
  effect.type === 'call-tools' || effect.role === 'small' || Object.hasOwn(ask, effect.role)

type Performed = Extract<Effect, { type: 'together' }>['effects']

/** The effects that the runtime performs for the verifier, as its actor. */
export function performedEffects(here: Judging, bench: Bench): Performed {
  const judged = judgeAnswer(here, bench.gate)
  if (judged.type === 'ruled') return []
  return judged.effects.flatMap((effect): Performed => {
    if (!isPossible(effect, bench.gate)) return []
    return effect.type === 'call-tools'
      ? [{ type: 'call-tools', actor: JUDGE, calls: effect.calls }]
      : [generateOf(effect, bench)]
  })
}

/** The actor of what verifiers of answers ask for. */
export const JUDGE = 'judge'

const generateOf = (
  { role, messages, schema, maxTokens, sampling }: AskModel,
  { own, timeoutMs }: Bench,
): Performed[number] => ({
  type: 'generate',
  actor: JUDGE,
  role: role === 'small' ? own : role,
  messages,
  maxTokens,
  timeoutMs,
  ...(schema !== undefined && { schema }),
  ...(sampling !== undefined && { sampling }),
})

/**
 * The answer with what came of the effects, in their order.
 * @param seen one for each effect that was performed, or one that stands for all of them
 */
export function withObserved(here: Judging, seen: readonly Direct[], gate: AnswerGate): Judging {
  const judged = judgeAnswer(here, gate)
  if (judged.type === 'ruled') return here
  const left = [...seen]
  const observed = judged.effects.map((effect): Observed => {
    if (!isPossible(effect, gate)) return noModel(effect)
    const next = left.length > 1 ? left.shift() : left[0]
    return next !== undefined && isObserved(next) ? next : FAILED
  })
  return { ...judged.here, observed: [...judged.here.observed, ...observed] }
}

const isObserved = (seen: Direct): seen is Observed =>
  ['generated', 'tools-called', 'refused', 'failed'].includes(seen.type)

const failed = (message: string): Failed => ({
  type: 'failed',
  error: { code: 'not-found', message, retryable: false, attempts: 0 },
})

const FAILED = failed('the call came to nothing')

const noModel = (effect: VerifierEffect): Failed => {
  const role = effect.type === 'generate' ? effect.role : 'tools'
  return failed(`no model has the role ${role}; name one with ask: { ${role}: 'provider/model' }`)
}

/** The effect of a ruling on the round: the verdict, and whether the next model is needed. */
export function verdictOf(
  { status, confidence, evidence }: Ruling,
  answer: string,
): { readonly verdict: Verdict; readonly trouble: Trouble } {
  const none: Trouble = { type: 'none' }
  const verdict = unproved(answer, evidence)
  switch (status) {
    case 'proved':
      return { verdict: proved(answer, evidence), trouble: none }
    case 'supported':
      return { verdict: { ...verdict, checked: 'supported', confidence }, trouble: none }
    case 'unsupported':
      return {
        verdict: { ...verdict, checked: 'unsupported', confidence },
        trouble: { type: 'fail', why: evidence },
      }
    case 'unchecked':
      return { verdict: { ...verdict, uncheckable: true }, trouble: none }
  }
}
