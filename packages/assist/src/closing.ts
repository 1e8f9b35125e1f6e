import type { Moved } from 'echelon/runtime'
import type { AssistState, Decision, Turn, TurnOutcome } from './assist-state.ts'
import { counts } from './counts.ts'
import type { Evaluation } from './evaluation/evaluation.ts'
import type { Finding, ReadUser } from './evaluation/finding.ts'
import type { Intent } from './intent/intent.ts'
import { utc } from './evaluation/kept-evaluations.ts'
import { LAST_WORDS } from './wording.ts'

const ENDINGS = { stop: 'stopped', frustration: 'frustration', achieved: 'achieved' } as const

/** A sign from the user that ends the turn. */
export interface Ending {
  readonly kind: keyof typeof ENDINGS
  readonly finding: Finding
}

/** A stop is the strongest: it is obeyed whatever else is found. */
export function endingIn(
  texts: readonly string[],
  intent: Intent,
  readUser: ReadUser,
): Ending | null {
  const findings = texts.flatMap((text) => readUser(text, intent)).filter(counts)
  for (const kind of ['stop', 'frustration', 'achieved'] as const) {
    const finding = findings.find((one) => one.kind === kind)
    if (finding !== undefined) return { kind, finding }
  }
  return null
}

/** Ends the turn with a short text: nothing more is planned, executed or shown. */
export function closed(turn: Turn, { kind, finding }: Ending): Moved<AssistState> {
  const outcome: TurnOutcome = ENDINGS[kind]
  const evaluation: Evaluation = {
    timestamp: utc(turn.at),
    outcome,
    // A frustrated user was not served; the next turn is planned anew.
    matched_intent: kind !== 'frustration',
    revision_triggered: false,
    target: 'planner',
  }
  const ended = withDecision(
    {
      ...turn,
      draft: null,
      toKeep: null,
      answer: LAST_WORDS[kind],
      outcome,
      evaluated: [...turn.evaluated, evaluation],
    },
    {
      layer: 'intent',
      decided: 'ends the turn',
      because: finding.what,
      evidence: [finding.evidence],
      by: 'user',
    },
  )
  return {
    state: keeping(ended).state,
    notes: [{ stage: 'turn-ended', data: { outcome, condition: finding.what } }],
  }
}

/** There is no answer, and the user is told why. */
export const failed = (turn: Turn, answer: string): Moved<AssistState> => ({
  state: keeping({ ...turn, draft: null, toKeep: null, answer, outcome: 'failed' }).state,
  notes: [{ stage: 'turn-failed', data: {} }],
})

/** Stores evaluations before the user gets the answer, so that a crash in between loses none. */
export const keeping = (turn: Turn): Moved<AssistState> => {
  const isKept = turn.evaluated.length > 0 && turn.evaluations.isUsable
  return { state: { phase: isKept ? 'remembering-evaluations' : 'saying', turn } }
}

export const withDecision = (turn: Turn, decision: Decision): Turn => ({
  ...turn,
  why: [...turn.why, decision],
})
