import type { SmallTalk } from './sense/small-talk.ts'
import type { Moved, Problem } from 'echelon/runtime'
import type { AssistState, Decision, Kept, Turn, TurnOutcome } from './assist-state.ts'
import { counts } from './counts.ts'
import type { Judgment } from './evaluation/evaluator.ts'
import { noting } from './notes.ts'
import type { Evaluation } from './evaluation/evaluation.ts'
import type { Finding, ReadUser } from './evaluation/finding.ts'
import type { Intent } from './intent/intent.ts'
import { utc } from './evaluation/kept-evaluations.ts'
import type { Read } from './session/memories.ts'
import { LAST_WORDS, noAnswer, questionAbout, repliesTo } from './wording.ts'

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

/** Answers small talk by itself: nothing is planned, evaluated or counted as a failure. */
export const answeredAtOnce = (
  turn: Turn,
  talk: SmallTalk,
  hasModel: boolean,
): Moved<AssistState> => ({
  state: keeping({ ...turn, answer: repliesTo(talk, hasModel), outcome: 'small_talk' }).state,
  notes: [{ stage: 'small-talk', data: { kind: talk } }],
})

/** The turn has no answer, and the user is told why. */
export const failed = (turn: Turn, answer: string): Moved<AssistState> => ({
  state: keeping({ ...turn, draft: null, toKeep: null, answer, outcome: 'failed' }).state,
  notes: [{ stage: 'turn-failed', data: {} }],
})

/** Stores evaluations before the user gets the answer, so that a crash in between loses none. */
export const keeping = (turn: Turn): Moved<AssistState> => {
  const isKept = turn.evaluated.length > 0 && turn.evaluations.isUsable
  return { state: { phase: isKept ? 'remembering-evaluations' : 'saying', turn } }
}

/** Says which lines of a plan were refused, and why. */
export const withRefusals = (before: Turn, after: Turn): Turn =>
  after.refusedLines.slice(before.refusedLines.length).reduce(
    (turn, { line, why }) =>
      withDecision(turn, {
        layer: 'intent',
        decided: 'refuses a line of the plan',
        because: why,
        evidence: [line],
        by: 'rules',
      }),
    after,
  )

export const withDecision = (turn: Turn, decision: Decision): Turn => ({
  ...turn,
  why: [...turn.why, decision],
})

/** A memory as it was read; what was there before, if it cannot be used. */
export function keptAs<Value>(
  read: Read<Value>,
  before: Kept<Value>,
  version: number,
): Kept<Value> {
  return read.ok ? { value: read.value, version, isUsable: true } : before
}

/** The draft is withheld; the user is told why, what can be said, and how to go on. */
export function withheld(turn: Turn, judgment: Judgment): Moved<AssistState> {
  const asked = withDecision(
    { ...turn, draft: null, answer: questionAbout(judgment, turn), outcome: 'asked' },
    {
      layer: 'intent',
      decided: 'withholds the answer and asks',
      because: 'non-goals are hard constraints, and only the user changes the intent',
      evidence: [],
      by: 'rules',
    },
  )
  return noting(keeping(asked), { stage: 'withheld', data: { outcome: judgment.outcome } })
}

/** The model that answers failed, and the user is told why. */
export const modelFailed = (turn: Turn, problem: Problem): Moved<AssistState> =>
  failed({ ...turn, problem }, noAnswer(problem.code))

/** The draft is the answer. */
export const answered = (turn: Turn): Moved<AssistState> =>
  keeping({ ...turn, answer: turn.draft, outcome: 'answered' })

/** The turn ends without an answer. */
export function canceled({ phase, turn }: AssistState): AssistState {
  if (phase === 'done') return { phase, turn }
  return { phase: 'done', turn: { ...turn, draft: null, answer: null, outcome: 'canceled' } }
}
