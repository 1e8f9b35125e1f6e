import type { Meter, Moved, Json, Observation, ProblemCode } from 'echelon/runtime'
import { EchelonError } from 'echelon/internal/value'
import type { Generated } from 'echelon/internal/agent'
import type { ToolOutcome } from 'echelon/internal/tool'
import { withheldBy } from 'echelon/internal/model'
import type { AssistRole, AssistSettings, Lookup } from './assist-settings.ts'
import { type AssistState, type Phase, saidIn, type Turn } from './assist-state.ts'
import {
  answered,
  answeredAtOnce,
  canceled,
  closed,
  endingIn,
  failed,
  keeping,
  keptAs,
  modelFailed,
  withDecision,
  withheld,
  withRefusals,
} from './closing.ts'
import type { Judgment } from './evaluation/evaluator.ts'
import { withoutOutdated } from './execution/outdated.ts'
import { quotedPassages, withFound } from './execution/lookup.ts'
import { canCallTools, withCalls, withOutcomes } from './execution/tool-rounds.ts'
import { readJudgment } from './evaluation/judgment-wire.ts'
import { evaluatorOf, executorOf, intentOf, judgedByRule, outcomeOf } from './layers.ts'
import { evaluationsIn, intentIn, plansIn } from './session/memories.ts'
import { bound, followed, plansKept } from './plan/plan-keeping.ts'
import { readPlan } from './plan/plan-wire.ts'
import { Planner } from './plan/planner.ts'
import { becauseOf, driftOf, notKept, noting, shownPlan, unusable } from './notes.ts'
import { situationKind, whyReplan } from './situation.ts'
import { digestOf, marksOf, textOf } from './session/turn-marks.ts'
import { EMPTY_ANSWER, isQuestionAbout, noAnswer, noBudget, noIntent } from './wording.ts'
import { smallTalkToAssistant } from './sense/small-talk.ts'

type Turned = Moved<AssistState>

/** Executions of one turn: the first, and the one that a revised plan pulls back. */
const MOST_EXECUTIONS = 2

/** The assistant's transitions from an observation to the next phase. Pure; holds only its settings. */
export class AssistTransitions {
  readonly #settings: AssistSettings

  constructor(settings: AssistSettings) {
    this.#settings = settings
  }

  intentRecalled({ turn }: AssistState, value: Json, { at }: Meter): Turned {
    const read = intentIn(value)
    if (!read.ok) return failed({ ...turn, at }, noIntent(read.problem))
    return { state: { phase: 'recalling-plans', turn: { ...turn, at, intent: read.value } } }
  }

  intentLost({ turn }: AssistState, problem: string): Turned {
    return failed(turn, noIntent(problem))
  }

  plansRecalled({ turn }: AssistState, value: Json, version: number): Turned {
    const plans = keptAs(plansIn(value), turn.plans, version)
    return {
      state: { phase: 'recalling-evaluations', turn: { ...turn, plans } },
      ...(plans.isUsable ? {} : { notes: [unusable('plans')] }),
    }
  }

  plansLost({ turn }: AssistState): Turned {
    return {
      state: { phase: 'recalling-evaluations', turn },
      notes: [unusable('plans')],
    }
  }

  evaluationsRecalled({ turn }: AssistState, value: Json, version: number): Turned {
    const evaluations = keptAs(evaluationsIn(value), turn.evaluations, version)
    const moved = this.#begin({ ...turn, evaluations })
    return evaluations.isUsable ? moved : noting(moved, unusable('evaluations'))
  }

  evaluationsLost({ turn }: AssistState): Turned {
    return noting(this.#begin(turn), unusable('evaluations'))
  }

  /** Reads the user, and requests another plan if the stored one no longer fits. */
  #begin(before: Turn): Turned {
    const { plans, evaluations, intent, conversation, input, heard } = before
    const kind = situationKind(saidIn(before))
    const turn: Turn = bound({ ...before, kind }, plans.value.current_plan)
    const last = conversation.findLast(({ role }) => role === 'assistant')
    const ending = endingIn([input.text, ...heard], intent, this.#settings.readUser)
    // After a question about the intent, a yes confirms the intent: there was no answer that it could refer to.
    const isReply = last !== undefined && isQuestionAbout(textOf(last))
    const talk = smallTalkToAssistant(saidIn(before))
    // Thanks do not prove that the goal is reached, and such a yes does not either.
    const isDoubtful = ending?.kind === 'achieved' && (isReply || talk !== null)
    if (ending !== null && !isDoubtful) return closed(turn, ending)
    if (talk !== null) return answeredAtOnce(turn, talk, this.#has('executor'))
    const standing = {
      before: marksOf(last),
      evaluation: evaluations.value.recent_evaluations.at(-1) ?? null,
      kind,
      intent: digestOf({ ...intent }),
    }
    const reason = whyReplan(standing)
    if (reason === null) {
      const kept = withDecision(turn, {
        layer: 'planner',
        decided: `keeps the plan ${new Planner(turn.plan).getApproach()}`,
        because: 'the last turn was on intent, and the situation and the intent are the same',
        evidence: [],
        by: 'rules',
      })
      return noting(this.#execute(kept), { stage: 'plan-kept', data: shownPlan(turn) })
    }
    if (this.#has('planner')) return { state: { phase: 'planning', turn } }
    const report = executorOf(turn, this.#settings).reportState(saidIn(turn), null)
    const planner = new Planner(plans.value.current_plan)
    const fresh = planner.plan(intent, report)
    const { evaluation } = standing
    const plan = evaluation === null ? fresh : planner.revise(fresh, evaluation)
    return this.#follow(turn, { plan, reason }, 'rules')
  }

  planned({ turn: before }: AssistState, { text }: Generated, { at }: Meter): Turned {
    const turn = { ...before, at }
    const found = readPlan(text)
    return found === null
      ? this.#planUnchanged(turn, 'its answer was no plan')
      : this.#follow(turn, found, 'model')
  }

  /** Keeps the current plan; hard constraints still apply. */
  notPlanned({ turn }: AssistState, why: string): Turned {
    return this.#planUnchanged(turn, why)
  }

  #planUnchanged(turn: Turn, why: string): Turned {
    const kept = withDecision(turn, {
      layer: 'planner',
      decided: `keeps the plan ${new Planner(turn.plan).getApproach()}`,
      because: `the model that plans was of no use: ${why}`,
      evidence: [],
      by: 'rules',
    })
    return noting(this.#execute(kept), { stage: 'planner-down', data: { why } })
  }

  revised(here: AssistState, { text }: Generated, { at }: Meter): Turned {
    const found = readPlan(text)
    if (found === null) return this.notRevised(here)
    return this.#follow({ ...here.turn, at }, found, 'model')
  }

  /** If no model revises the plan, a rule does: a plan that led away from the intent is not followed again. */
  notRevised({ turn }: AssistState): Turned {
    const evaluation = turn.evaluated.at(-1)
    if (evaluation === undefined) throw new EchelonError('INVALID_DEFINITION', NOTHING_EVALUATED)
    const plan = new Planner(turn.plan).revise(turn.plan, evaluation)
    return this.#follow(turn, { plan, reason: `revised for ${evaluation.outcome}` }, 'rules')
  }

  #follow(
    before: Turn,
    found: { readonly plan: Turn['plan']; readonly reason: string },
    by: 'rules' | 'model',
  ): Turned {
    const turn = withRefusals(
      before,
      withDecision(followed(before, found), {
        layer: 'planner',
        decided: `plans ${found.plan.approach} at ${found.plan.altitude}`,
        because: found.reason,
        evidence: [],
        by,
      }),
    )
    const moved: Turned =
      turn.toKeep === null ? this.#execute(turn) : { state: { phase: 'remembering-plans', turn } }
    const refused = turn.refusedLines.length - before.refusedLines.length
    return noting(moved, {
      stage: 'planned',
      data: { ...shownPlan(turn), by, ...(refused > 0 && { refused }) },
    })
  }

  plansKept({ turn }: AssistState, version: number): Turned {
    return this.#execute(plansKept(turn, version))
  }

  plansNotKept({ turn }: AssistState): Turned {
    const plans = { ...turn.plans, isUsable: false }
    return noting(this.#execute({ ...turn, plans, toKeep: null }), notKept('plans'))
  }

  /** Looks up what the turn may need, once, and then drafts. */
  #execute(before: Turn): Turned {
    const lookup = this.#settings.lookups.find((one) => before[one] === null)
    if (lookup !== undefined) return { state: { phase: `recalling-${lookup}`, turn: before } }
    const turn = { ...before, draftedAfter: before.heard.length }
    if (this.#has('executor')) return { state: { phase: 'executing', turn } }
    const found = quotedPassages(turn.knowledge)
    if (found !== null) return keeping({ ...turn, answer: found, outcome: 'quoted' })
    const { draft } = executorOf(turn, this.#settings).execute(turn.plan, saidIn(turn))
    return this.#drafted(turn, draft)
  }

  lookedUp({ turn }: AssistState, lookup: Lookup, value: Json | null): Turned {
    const moved = this.#execute(withFound(turn, lookup, value))
    return value === null
      ? noting(moved, { stage: 'lookup-failed', data: { memory: lookup } })
      : moved
  }

  toolsCalled({ turn }: AssistState, outcomes: readonly ToolOutcome[], { at }: Meter): Turned {
    return this.#execute(withOutcomes({ ...turn, at }, outcomes))
  }

  /** The model is told, and answers with what there is. */
  toolsFailed({ turn }: AssistState, message: string): Turned {
    const failure: ToolOutcome = { type: 'error', code: 'TOOL_ERROR', message }
    return this.#execute(
      withOutcomes(
        turn,
        turn.pending.map(() => failure),
      ),
    )
  }

  drafted({ turn: before }: AssistState, seen: Generated, { at }: Meter): Turned {
    const { text, finish, model } = seen
    const turn = { ...before, at }
    if (finish === 'filter') return modelFailed(turn, withheldBy(model))
    if (seen.calls.length > 0 && canCallTools(turn, this.#settings)) {
      return { state: { phase: 'using-tools', turn: withCalls(turn, seen) } }
    }
    return this.#drafted(turn, text)
  }

  notDrafted(
    { turn }: AssistState,
    seen: Extract<Observation, { type: 'failed' | 'refused' }>,
  ): Turned {
    return seen.type === 'failed'
      ? modelFailed(turn, seen.error)
      : failed(turn, noBudget(seen.limit))
  }

  /** Findings of the rules decide; a model checks the rest. */
  #drafted(before: Turn, text: string): Turned {
    const draft = text.trim()
    if (draft === '') return failed(before, EMPTY_ANSWER)
    const turn: Turn = { ...before, draft, executions: before.executions + 1 }
    const judgment = judgedByRule(turn, this.#settings)
    if (judgment.isOnIntent && this.#has('evaluator')) {
      return { state: { phase: 'evaluating', turn } }
    }
    return this.#judged(turn, judgment)
  }

  evaluated({ turn: before }: AssistState, { text }: Generated, { at }: Meter): Turned {
    const turn = { ...before, at }
    const outcome = outcomeOf(turn, this.#settings)
    const judgment = readJudgment(text, turn.intent, outcome)
    if (judgment !== null) return this.#judged(turn, judgment)
    return this.#byRuleAlone(turn, 'its answer was no judgment')
  }

  notEvaluated({ turn }: AssistState, why: string): Turned {
    return this.#byRuleAlone(turn, why)
  }

  #byRuleAlone(turn: Turn, why: string): Turned {
    const moved = this.#judged(turn, judgedByRule(turn, this.#settings))
    return noting(moved, { stage: 'evaluator-down', data: { why } })
  }

  #judged(before: Turn, found: Judgment): Turned {
    // The intent has the last word, whatever lower layers say.
    const isSuccess = intentOf(before, this.#settings).isSuccess(outcomeOf(before, this.#settings))
    const isOverruled = found.isOnIntent && !isSuccess
    const judgment = isOverruled ? judgedByRule(before, this.#settings) : found
    const turn: Turn = { ...before, judgements: [...before.judgements, judgment] }
    const evaluator = evaluatorOf(turn, this.#settings)
    const isRevised =
      turn.executions < MOST_EXECUTIONS &&
      evaluator.shouldRevisePlan(evaluator.evaluationOf(judgment, false))
    const target = judgment.isOnIntent || isRevised ? 'planner' : 'intent'
    const evaluation = evaluator.evaluationOf({ ...judgment, target }, isRevised)
    const known = withDecision(
      { ...turn, evaluated: [...turn.evaluated, evaluation] },
      {
        layer: 'evaluator',
        decided: judgment.outcome,
        because: becauseOf(judgment, isRevised),
        evidence: judgment.findings.map(({ evidence }) => evidence),
        by: judgment.by,
      },
    )
    if (judgment.isOnIntent) return answered(known)
    const drift = driftOf(known, judgment, isRevised)
    if (!isRevised) return noting(withheld(known, judgment), drift)
    const here: AssistState = { phase: 'revising', turn: known }
    return noting(this.#has('planner') ? { state: here } : this.notRevised(here), drift)
  }

  evaluationsKept({ turn }: AssistState): Turned {
    return { state: { phase: 'saying', turn } }
  }

  /** Keeps other processes' deltas: if one wrote meanwhile, reads theirs and adds these. */
  evaluationsMerged({ turn }: AssistState, value: Json, version: number): Turned {
    const evaluations = keptAs(
      evaluationsIn(value),
      { ...turn.evaluations, isUsable: false },
      version,
    )
    const merged: Turn = { ...turn, evaluations, isMerged: true }
    return evaluations.isUsable
      ? keeping(merged)
      : this.evaluationsNotKept({ phase: 'saying', turn })
  }

  evaluationsNotKept({ turn }: AssistState, code?: ProblemCode): Turned {
    if (code === 'conflict' && !turn.isMerged) {
      return { state: { phase: 'merging-evaluations', turn } }
    }
    return { state: { phase: 'saying', turn }, notes: [notKept('evaluations')] }
  }

  said({ turn }: AssistState): Turned {
    return { state: { phase: 'done', turn: { ...turn, isSaid: true } } }
  }

  /** An observation that no phase asked for. */
  unasked(here: AssistState, seen: Observation): Turned {
    switch (seen.type) {
      case 'canceled':
        return { state: canceled(here) }
      case 'heard':
        return this.#heard(here, seen.text)
      case 'refused':
        return here.phase === 'saying'
          ? { state: { phase: 'done', turn: here.turn } }
          : failed(here.turn, noBudget(seen.limit))
      case 'failed':
        return failed(here.turn, noAnswer(seen.error.code))
      case 'generated':
      case 'tools-called':
      case 'permitted':
      case 'answered':
      case 'unanswered':
      case 'said':
      case 'woke':
      case 'recalled':
      case 'remembered':
      case 'together':
        throw new EchelonError('INVALID_DEFINITION', `the assistant asked for no ${seen.type}`)
    }
  }

  /** The user spoke during the turn: a stop applies at once, anything else counts from now on. */
  #heard(here: AssistState, text: string): Turned {
    const { phase, turn } = here
    if (phase === 'done') return { state: here }
    const known: Turn = { ...turn, heard: [...turn.heard, text] }
    // The stop conditions are known only once the intent is.
    if (BEFORE_INTENT.includes(phase)) return { state: { phase, turn: known } }
    const ending = endingIn([text], turn.intent, this.#settings.readUser)
    if (ending === null) {
      const again = withoutOutdated(phase, known)
      return again === null ? { state: { phase, turn: known } } : this.#execute(again)
    }
    const moved = closed(known, ending)
    // The evaluated draft is already on record.
    return phase === 'saying' ? { ...moved, state: { ...moved.state, phase } } : moved
  }

  #has(role: AssistRole): boolean {
    return this.#settings.roles.includes(role)
  }
}

const BEFORE_INTENT: readonly Phase[] = [
  'recalling-intent',
  'recalling-plans',
  'recalling-evaluations',
]

const NOTHING_EVALUATED = 'the assistant revises a plan although nothing was evaluated'
