import type { Json } from '../../core/value/json.ts'
import type { Meter, Moved, Note } from '../../core/agent/agent.ts'
import { EchelonError } from '../../core/value/error.ts'
import type {
  Direct,
  Failed,
  Generated,
  Observation,
  Refused,
  ToolsCalled,
} from '../../core/agent/observation.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { actGate, type Gated, toolAllowance, type Trouble } from './act-gate.ts'
import { escalateTask } from './escalator.ts'
import { gathered } from './case/gathered.ts'
import { keepOutcomes, readyCalls, settleWithoutCalls } from './plan/executor.ts'
import { errorCode, type LogFields, logNote, type StepType, summarize } from './case/log.ts'
import { failsForGood, MODEL_FAILED, modelFailure, problemInWords } from './plan/model-failure.ts'
import { logOf, recomputed, skipEvent, tokenUsage } from './case/step-log.ts'
import { plannedBy } from './plan/planned-by.ts'
import type { Policy } from './settings/modes.ts'
import { type Action, shownActions } from './plan/plan.ts'
import type { DecideState, Evidence, Failure, FinishReason, Loop, PhaseOf, Task } from './state.ts'
import { type AnswerGate, FORM_ALONE } from './answers/answer-gate.ts'
import { judgeDirect, shownAnswer, toAnswer } from './answers/direct-answer.ts'
import { judgeAnswer, type Judging, verdictOf, withObserved } from './answers/judge-answer.ts'
import { isUncheckable, notCheckable } from './plan/uncheckable.ts'
import type { Verification, Round } from './verification/verification.ts'
import { isUnknown } from './verification/claim.ts'
import { unproved, type Verdict } from './verification/verdict.ts'

/** The parts of the agent: plain data and pure functions. */
export interface DecideParts {
  readonly policy: Policy
  readonly tools: readonly Tool[]
  /** Reads what a question asks, apart from any plan, and judges the answers. */
  readonly verification: Verification
  /** Judges answers that no verifier reads. Default: by their form alone. */
  readonly gate?: AnswerGate
}

/** Why a round had no plan. */
type NoPlan = Omit<Extract<Trouble, { type: 'fail' }>, 'type'> & Omit<Failure, 'actions'>
/** A limit that blocked the round; `why` is set if it was not reached. */
type LimitMet = Omit<Extract<Trouble, { type: 'limit' }>, 'type'>
type Planning = PhaseOf<'plan'>
type Executing = PhaseOf<'execute'>
type Verifying = PhaseOf<'verify'>
type Working = Exclude<DecideState, { phase: 'done' }>
type Move = Moved<DecideState>

/**
 * The agent's state transitions: one handler per observation of the phase table, which leads through verifier,
 * gate and escalator to the next phase. Pure; holds only its parts.
 */
export class Transitions {
  readonly #policy: Policy
  readonly #known: readonly Tool[]
  readonly #verification: Verification
  readonly #answers: AnswerGate

  constructor({ policy, tools, verification, gate = FORM_ALONE }: DecideParts) {
    this.#policy = policy
    this.#answers = gate
    this.#known = tools
    this.#verification = verification
  }

  /** A case begins with a plan, unless nothing can check its answer and the policy refuses such questions. */
  begun(loop: Loop): Move {
    const { task, claim } = loop
    const isOpen = isUnknown(claim) && isUncheckable(loop) && task.wanted === undefined
    if (task.unchecked !== 'refuse' || !isOpen) {
      return { state: { phase: 'plan', loop } }
    }
    const failure = { actions: [], reason: notCheckable(claim.why) }
    const told = this.#note('act', loop, { decision: 'stop', output_summary: failure.reason })
    return this.#done({ ...loop, failure }, 'unchecked', null, [told])
  }

  /** Turns a completion into a plan, a direct answer, a decline, or one more request. */
  planned({ loop }: Planning, seen: Generated, meter: Meter): Move {
    const reading =
      seen.finish === 'length'
        ? { type: 'invalid' as const, error: 'the answer was cut at the token limit' }
        : plannedBy(seen.text, loop)
    const spent = { model: seen.model, token_usage: tokenUsage(seen) }
    switch (reading.type) {
      case 'plan': {
        const output_summary = summarize(reading.actions.map(({ tool }) => tool).join(', '))
        const details = { actions: shownActions(reading.actions) }
        return this.#begin(loop, reading.actions, meter, [
          this.#note('H_plan', loop, { ...spent, event: 'plan', output_summary, details }),
        ])
      }
      case 'answered':
        return this.#answered(loop, reading.value, spent, meter)
      case 'declined': {
        const output_summary = summarize(reading.reason)
        const told = this.#note('H_plan', loop, { ...spent, event: 'declined', output_summary })
        return this.#noPlan(loop, { why: 'declined', reason: reading.reason }, meter, told)
      }
      case 'invalid': {
        const told = this.#note('H_plan', loop, {
          ...spent,
          event: 'plan_schema_error',
          error_code: 'PLAN_SCHEMA_ERROR',
          details: { completion_text: summarize(seen.text), error: reading.error },
        })
        if (loop.reprompt !== null) {
          return this.#noPlan(loop, { why: 'no plan', reason: reading.error }, meter, told)
        }
        return {
          state: { phase: 'plan', loop: { ...loop, reprompt: reading.error } },
          notes: [told],
        }
      }
    }
  }

  /** A direct answer: compared with the known one, judged by the gate, or taken as it is. */
  #answered(before: Loop, value: Json, spent: LogFields, meter: Meter): Move {
    const { claim, task } = before
    const { wanted = { kind: 'text' }, goldAnswer } = task
    const answer = toAnswer(value, wanted)
    const shown = shownAnswer(answer, wanted)
    const output_summary = summarize(shown)
    const told = this.#note('H_plan', before, { ...spent, event: 'answered', output_summary })
    if (goldAnswer !== null) {
      const verdict = judgeDirect(answer, goldAnswer, wanted)
      const trouble: Trouble = verdict.passed ? NO_TROUBLE : { type: 'fail', why: verdict.reason }
      return this.#ruled(before, { verdict, trouble }, meter, [told])
    }
    if (task.wanted !== undefined) {
      const loop: Loop = { ...before, answer: shown, checked: 'not_checked' }
      return this.#judge({ phase: 'judge', loop, answer, ran: [], observed: [] }, meter, [told])
    }
    const reason = notCheckable(isUnknown(claim) ? claim.why : claim.kind)
    const failure = { actions: [], reason }
    const loop: Loop = { ...before, failure, answer: shown, checked: 'not_checked' }
    const verdict: Verdict = { ...unproved(shown, reason), uncheckable: true }
    return this.#gate(loop, { verdict, trouble: NO_TROUBLE }, meter, [told])
  }

  /** Judges an answer, or moves on to what its verifier asks for. */
  #judge(before: Judging, meter: Meter, notes: readonly Note[]): Move {
    const judged = judgeAnswer(before, this.#answers)
    if (judged.type === 'asks') return { state: judged.here, notes }
    const { loop, answer } = before
    const { wanted = { kind: 'text' } } = loop.task
    return this.#ruled(loop, verdictOf(judged.ruling, shownAnswer(answer, wanted)), meter, notes)
  }

  /** Takes the observations that the verifier of an answer asked for. */
  judged(here: Judging, seen: readonly Direct[], meter: Meter): Move {
    return this.#judge(withObserved(here, seen, this.#answers), meter, [])
  }

  #ruled(
    before: Loop,
    round: { readonly verdict: Verdict; readonly trouble: Trouble },
    meter: Meter,
    notes: readonly Note[],
  ): Move {
    const { verdict } = round
    const { answer, checked, confidence = null } = verdict
    const failure = { actions: before.failure?.actions ?? [], ...toldOf(verdict, before.task) }
    const told = this.#note('verify', before, {
      event: verdict.passed ? 'verified' : checked === 'supported' ? 'supported' : 'not_verified',
      metric: confidence ?? verdict.metric,
      output_summary: summarize(verdict.forPerson ?? verdict.reason),
      details: { status: checked, confidence },
    })
    const loop: Loop = { ...before, failure, answer, checked, confidence }
    return this.#gate(loop, round, meter, [...notes, told])
  }

  /** A model that stays down after the runtime's retries gets no further rounds. */
  modelFailed({ loop }: Planning, { error }: Failed, meter: Meter): Move {
    const { model = 'the model' } = this.#policy.rungs[loop.rung] ?? {}
    const told = this.#note('H_plan', loop, {
      event: 'model_failed',
      model,
      error_code: errorCode(error),
      output_summary: summarize(error.message),
      details: { attempts: error.attempts },
    })
    // The provider's message may hold a key, so no other model reads it; the log and explanation that people read
    // are redacted.
    const reason = `${MODEL_FAILED}${problemInWords(error.code)}`
    const forPerson = modelFailure(model, error)
    const why = { why: 'model down', reason, forPerson, forGood: failsForGood(error), isDown: true }
    return this.#noPlan(loop, why, meter, told)
  }

  #noPlan(
    before: Loop,
    { reason, forPerson = reason, why, forGood = false, isDown = false }: NoPlan,
    meter: Meter,
    told: Note,
  ): Move {
    const actions = before.failure?.actions ?? []
    const loop = { ...before, failure: { actions, reason, forPerson } }
    const verdict = unproved(loop.answer, reason)
    return this.#gate(loop, { verdict, trouble: { type: 'fail', why, forGood, isDown } }, meter, [
      told,
    ])
  }

  /** Starts a plan, with the tool calls that this rung may still make. */
  #begin(loop: Loop, actions: readonly Action[], meter: Meter, notes: readonly Note[]): Move {
    const allowance = toolAllowance(loop.rung, meter, this.#policy)
    const begun = { phase: 'execute', loop, actions, ran: [], allowance, at: meter.at } as const
    return this.#goOn(begun, meter, notes)
  }

  executed(here: Executing, { outcomes }: ToolsCalled, meter: Meter): Move {
    const calls = readyCalls(here, this.#known)
    const after = keepOutcomes({ ...here, at: meter.at }, calls, outcomes)
    const notes = after.ran
      .slice(here.ran.length)
      .map((one) => this.#note('L_exec', here.loop, logOf(one)))
    const stopped = outcomes.find((outcome) => outcome.type === 'refused')
    if (stopped !== undefined) return this.#stop(after, stopped, meter, notes)
    const allowance = toolAllowance(here.loop.rung, meter, this.#policy)
    return this.#goOn({ ...after, allowance }, meter, notes)
  }

  /** Moves on to the next calls of the plan, or to its verification. */
  #goOn(before: Executing, meter: Meter, notes: readonly Note[]): Move {
    const here = settleWithoutCalls(before, this.#known)
    const skipped = here.ran
      .slice(before.ran.length)
      .map((one) => this.#note('L_exec', here.loop, { event: skipEvent(one), ...logOf(one) }))
    const told = [...notes, ...skipped]
    if (here.ran.length < here.actions.length) return { state: here, notes: told }
    const loop = gathered(here)
    const { actions, ran } = here
    const checks = this.#verification.checks(this.#roundOf(loop, ran)).map((check) => ({
      ...check,
      id: `${loop.rung}.${loop.rounds}.${check.id}`,
    }))
    if (checks.length > 0) {
      return { state: { phase: 'verify', loop, actions, ran, checks }, notes: told }
    }
    return this.#conclude({ phase: 'verify', loop, actions, ran, checks }, [], meter, told)
  }

  checked(here: Verifying, { outcomes }: ToolsCalled, meter: Meter): Move {
    const stopped = outcomes.find((outcome) => outcome.type === 'refused')
    if (stopped !== undefined) {
      const told = this.#notMade(here, stopped.limit, `the limit of ${stopped.limit} was reached`)
      return this.#stop(here, stopped, meter, [told])
    }
    return this.#conclude(here, outcomes, meter, [])
  }

  #conclude(
    here: Verifying,
    checks: ToolsCalled['outcomes'],
    meter: Meter,
    notes: readonly Note[],
  ): Move {
    const { loop, actions, ran } = here
    const verdict = this.#verification.judge(this.#roundOf(loop, ran), checks)
    const { answer: value } = verdict
    if (verdict.uncheckable === true && loop.task.wanted !== undefined && value !== null) {
      const failure = { actions, reason: verdict.reason }
      const answer = toAnswer(value, { kind: 'text' })
      const answered: Loop = { ...loop, failure, answer: value, checked: 'not_checked' }
      const judging: Judging = { phase: 'judge', loop: answered, answer, ran, observed: [] }
      return this.#judge(judging, meter, notes)
    }
    const told = this.#note('verify', loop, {
      event: verdict.passed ? 'verified' : 'not_verified',
      metric: verdict.metric,
      output_summary: summarize(verdict.forPerson ?? verdict.reason),
      ...(here.checks.length === 0 ? {} : { details: { checks: recomputed(here, checks) } }),
    })
    const failure = { actions, ...toldOf(verdict, loop.task) }
    const { answer, checked } = verdict.answer === null ? loop : verdict
    const scored = loop.confidence === undefined ? {} : { confidence: null }
    const after = { ...loop, failure, answer, checked, ...(verdict.answer !== null && scored) }
    return this.#gate(after, { verdict, trouble: NO_TROUBLE }, meter, [...notes, told])
  }

  /** A limit blocked the next effect: the gate's budget rule, before a call instead of after. */
  refused(here: Working, seen: Refused, meter: Meter): Move {
    const { limit, message, cause } = seen
    const told = this.#notMade(here, limit, message)
    return this.#stop(here, cause === undefined ? { limit } : { limit, why: message }, meter, [
      told,
    ])
  }

  /** Logs a call that a limit refused, or that was cut off when the run's time was up. */
  #notMade(here: Working, limit: string, message: string): Note {
    const event = limit === 'seconds' ? 'call_cut_off' : 'call_refused'
    const { model = '' } = this.#policy.rungs[here.loop.rung] ?? {}
    return this.#note(STAGES[here.phase], here.loop, {
      event,
      ...(here.phase === 'plan' ? { model } : {}),
      output_summary: message,
      details: { limit },
    })
  }

  #stop(here: Working, met: LimitMet, meter: Meter, notes: readonly Note[]): Move {
    const { limit, why } = met
    const reason = `the limit of ${limit} was reached`
    const before = gathered(here)
    // Before there is a plan, the next rung needs the reason why the last one failed.
    const failure =
      here.phase === 'plan' || here.phase === 'judge'
        ? (before.failure ?? { actions: [], reason })
        : { ...before.failure, actions: here.actions, reason: before.failure?.reason ?? reason }
    const told = why === undefined ? failure : { ...failure, forPerson: why }
    const round = { verdict: unproved(null, reason), trouble: { ...met, type: 'limit' } } as const
    return this.#gate({ ...before, failure: told }, round, meter, notes)
  }

  /** A cancel ends the run with its results so far; any other input changes nothing. */
  unasked(here: DecideState, seen: Observation): Move {
    if (seen.type === 'heard' || here.phase === 'done') return { state: here }
    if (seen.type === 'canceled') {
      const told = { event: 'canceled', output_summary: 'canceled', details: { by: seen.by } }
      const note = this.#note(STAGES[here.phase], here.loop, told)
      return this.#done(gathered(here), 'canceled', null, [note])
    }
    throw new EchelonError('INVALID_DEFINITION', `decide cannot see ${seen.type} in ${here.phase}`)
  }

  #gate(
    before: Loop,
    round: { readonly verdict: Verdict; readonly trouble: Trouble },
    meter: Meter,
    notes: readonly Note[],
  ): Move {
    const gated = actGate(before, round, meter, this.#policy)
    const told = this.#note('act', gated.loop, {
      decision: gated.decision.type,
      metric: round.verdict.metric,
      output_summary: gated.why,
    })
    return this.#follow(gated, meter, [...notes, told])
  }

  #follow({ loop, decision, why }: Gated, meter: Meter, notes: readonly Note[]): Move {
    switch (decision.type) {
      case 'stop':
        return this.#done(loop, decision.reason, decision.limit, notes)
      case 'continue':
        return { state: { phase: 'plan', loop }, notes }
      case 'escalate': {
        const escalation = escalateTask(loop, meter, this.#policy)
        if (escalation.type === 'budget') {
          const { limit } = escalation
          const told = this.#note('escalate', loop, { event: 'nothing_left', details: { limit } })
          return this.#done(loop, 'budget', limit, [...notes, told])
        }
        const to = this.#policy.rungs[escalation.loop.rung]?.model ?? ''
        const told = this.#note('escalate', loop, {
          event: 'escalate_to_big',
          output_summary: why,
          details: { to },
        })
        return { state: { phase: 'plan', loop: escalation.loop }, notes: [...notes, told] }
      }
    }
  }

  #done(loop: Loop, reason: FinishReason, limit: string | null, notes: readonly Note[]): Move {
    return { state: { phase: 'done', loop, reason, limit }, notes }
  }

  #roundOf({ task, claim }: Loop, ran: readonly Evidence[]): Round {
    return { task, claim, ran, thresholds: this.#policy.thresholds }
  }

  #note(step: StepType, loop: Loop, fields: LogFields): Note {
    return logNote(step, loop, this.#policy, fields)
  }
}

/** Under the first rules, models read the same reasons as people, except for a known answer. */
function toldOf(
  { reason, forPerson = reason }: Verdict,
  { rules, goldAnswer }: Task,
): Pick<Failure, 'reason' | 'forPerson'> {
  return { reason: rules === 1 && goldAnswer === null ? forPerson : reason, forPerson }
}

/** The log step of each phase. */
const STAGES: Readonly<Record<Working['phase'], StepType>> = {
  plan: 'H_plan',
  execute: 'L_exec',
  verify: 'verify',
  judge: 'verify',
}

const NO_TROUBLE: Trouble = { type: 'none' }
