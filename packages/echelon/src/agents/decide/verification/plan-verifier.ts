import type { ToolCall, ToolOutcome } from '../../../core/tool/tool.ts'
import { isJsonObject } from '../../../core/value/json.ts'
import type { Attempt } from '../../../verify/answer.ts'
import {
  type Judgment,
  type Observed,
  proved,
  refuted,
  silent,
  type Verifier as AnswerVerifier,
} from '../../../verify/verifier.ts'
import type { Evidence } from '../state.ts'
import { type Claim, isUnknown } from './claim.ts'
import { readClaim } from './read-claim.ts'
import { type Stated, statedAnswers } from './stated-answer.ts'
import type { Verdict } from './verdict.ts'
import type { Case, Verifier } from './verifier.ts'

/**
 * Verifies answers as the decision agent does, apart from its plans: the question is read by these verifiers, and
 * recomputed with their tools. An answer in words is proved if it states the recomputed value and nothing else, and
 * refuted if it states another one. If the answer calls these tools, as a plan does, the calls are made and their
 * results judged. Silent for questions that none of the verifiers reads, and for answers that hedge.
 * @param verifiers such as `await standardVerifiers()` of `echelon/decide`; the caller's tools must include theirs
 */
export function plan(verifiers: readonly Verifier[]): AnswerVerifier {
  return {
    name: 'plan',
    features: FEATURES,
    verify(attempt, observed) {
      const { question, today } = attempt.task
      const claim = readClaim(verifiers, { input: question, today: today ?? NO_DAY })
      const verifier = verifiers.find(({ name }) => name === claim.kind)
      if (isUnknown(claim) || verifier === undefined) {
        return judgment(silent('no verifier reads the question'))
      }
      const { answer } = attempt
      if (answer.type === 'calls') return byCalls({ attempt, claim, verifier, observed })
      const [tool = ''] = verifier.tools
      return byWords(
        { attempt, claim, verifier, observed },
        statedAnswers(answer, { tool, question }),
      )
    },
  }
}

const FEATURES = ['plan.proved', 'plan.refuted'] as const

/** Stands for the day of a task that has none; what depends on it is not judged. */
const NO_DAY = '2000-01-01'

interface Judged {
  readonly attempt: Attempt
  readonly claim: Claim
  readonly verifier: Verifier
  readonly observed: readonly Observed[]
}

/** Calls that a plan makes are made, in order, then those that recompute the question. */
function byCalls(judged: Judged): ReturnType<AnswerVerifier['verify']> {
  const { attempt, verifier, observed } = judged
  const calls = attempt.answer.type === 'calls' ? attempt.answer.calls : []
  // Only tools without effects of their own may be called to find out whether a call is right.
  if (calls.length === 0 || !calls.every(({ tool }) => verifier.tools.includes(tool))) {
    return judgment(silent('the answer calls other tools than those of the verifier'))
  }
  const [made] = observed
  if (made === undefined) return { verdict: 'ask', effects: [{ type: 'call-tools', calls }] }
  const outcomes = outcomesOf(made)
  if (outcomes === undefined) return judgment(silent('the calls could not be made'))
  const ran = calls.flatMap((call, at) => evidenceOf(call, outcomes[at]))
  return recomputed({ ...judged, observed: observed.slice(1) }, ran)
}

/** Proved by one of the values that the answer may state, refuted if all of them are wrong. */
function byWords(judged: Judged, stated: readonly Stated[]): ReturnType<AnswerVerifier['verify']> {
  const call = { id: 'answer', tool: judged.verifier.tools[0] ?? '', input: {} }
  const found: Judgment[] = []
  for (const { value, isPlain } of stated) {
    const one = recomputed(judged, evidenceOf(call, { type: 'ok', value: { value } }))
    if (one.verdict === 'ask') return one
    if (one.verdict === 'proved' && isPlain) return one
    found.push(isPlain || one.verdict !== 'proved' ? one : NOT_PLAIN)
  }
  const [first] = found
  const isRefuted = found.every(({ verdict }) => verdict === 'refuted')
  // A value that is not stated plainly may be none, and then shows nothing.
  if (first !== undefined && isRefuted && stated.some(({ isPlain }) => isPlain)) return first
  const silences = [...found.filter(({ verdict }) => verdict === 'silent'), NOT_PLAIN]
  return silences[0] ?? NOT_PLAIN
}

function recomputed(
  { attempt, claim, verifier, observed }: Judged,
  ran: readonly Evidence[],
): ReturnType<AnswerVerifier['verify']> {
  const { question, today } = attempt.task
  const one: Case = { task: taskOf(question, today), claim, ran, answer: null, threshold: 1 }
  const checks = verifier.checks(one)
  if (checks.length === 0) return judgment(silent('there is nothing to recompute'))
  if (today === undefined && checks.some(dependsOnDay)) {
    return judgment(silent('the day of the question is not known'))
  }
  const [checked] = observed
  if (checked === undefined) {
    return { verdict: 'ask', effects: [{ type: 'call-tools', calls: checks }] }
  }
  const outcomes = outcomesOf(checked)
  return outcomes === undefined
    ? judgment(silent('the question could not be recomputed'))
    : judgment(judgedBy(verifier.judge(one, outcomes)))
}

const dependsOnDay = ({ input }: ToolCall): boolean => isJsonObject(input) && 'today' in input

const outcomesOf = (seen: Observed): readonly ToolOutcome[] | undefined =>
  seen.type === 'tools-called' ? seen.outcomes : undefined

const evidenceOf = (call: ToolCall, outcome: ToolOutcome | undefined): readonly Evidence[] =>
  outcome === undefined ? [] : [{ rung: 0, round: 0, call, outcome, at: 0 }]

const taskOf = (input: string, today: string = NO_DAY): Case['task'] => ({
  input,
  expectedTools: [],
  seed: null,
  today,
  timeZone: 'UTC',
  runId: '',
  unchecked: 'answer',
  rules: 2,
})

function judgedBy({ passed, checked, reason }: Verdict): Judgment {
  if (passed) return proved(reason)
  return checked === 'refuted' ? refuted(reason) : silent(reason)
}

const judgment = (found: Judgment): Judgment => ({
  ...found,
  features: {
    'plan.proved': Number(found.verdict === 'proved'),
    'plan.refuted': Number(found.verdict === 'refuted'),
  },
})

const NOT_PLAIN = judgment(silent('the answer does not state one value plainly'))
