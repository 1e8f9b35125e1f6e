import type { Meter, Moved, Json, Observation, Problem } from 'echelon/runtime'
import { EchelonError } from 'echelon/internal/value'
import type { Direct, Generated } from 'echelon/internal/agent'
import type { ToolCall as BoundCall, ToolOutcome } from 'echelon/internal/tool'
import { answeredBefore, failTurn, messageId, noting } from './conclusion.ts'
import type { Intent } from '../intent.ts'
import { dialogueIn, messagesIn, recordIn } from './kept-history.ts'
import { plannedByModel } from './planning/model-planning.ts'
import { currentStep } from './planning/plan-execution.ts'
import { isAskUser, isToolCall, type ToolCall } from '../plan.ts'
import { missingParams, planFor } from './planning/planner.ts'
import { decisionIn, restsIn, undecided } from './policy-decision.ts'
import { planned, shopView } from './begin-task.ts'
import { isCarried } from './carried.ts'
import { read, understood, unread } from './reading.ts'
import { intentsOf } from './reading/offered.ts'
import { memoryUpdated, stage } from './stages.ts'
import type { Refusal } from './support-result.ts'
import { eligibleIntents, type SupportSettings } from './support-settings.ts'
import type { SupportState, ActiveIntent } from './support-state.ts'
import { announced, called } from './tasks/called.ts'
import { checked, type Judgement } from './tasks/checked.ts'
import { answerOpenEnded, worded } from './tasks/worded.ts'
import { resultOf } from './tool-result.ts'
import { readClassification } from '../wording/read-classification.ts'

type Turned = Moved<SupportState>

/** The work of a phase, as far as the phase has it. */
interface Working {
  readonly task: ActiveIntent
  readonly intent: Intent
  /** The first parameter to ask for. */
  readonly missing: string
  /** The text before the call. */
  readonly before: string
  readonly call: ToolCall
  /** The call as the runtime makes it. */
  readonly bound: BoundCall
}

/** The transitions from an observation to the next phase. */
export class SupportTransitions {
  readonly #settings: SupportSettings

  constructor(settings: SupportSettings) {
    this.#settings = settings
  }

  /** @throws EchelonError INVALID_DEFINITION in a phase without a task */
  working({ task }: SupportState): Working {
    const intent = task === null ? undefined : this.#settings.registry.find(task.intentId)
    if (task === null || intent === undefined) {
      throw new EchelonError('INVALID_DEFINITION', 'support works on an unknown intent')
    }
    const step = currentStep(task.execution)
    const planned = task.execution.steps.map((one) => one.step).find(isToolCall)
    const call = planned ?? { toolName: intent.tool, params: task.params }
    return {
      task,
      intent,
      missing: missingParams(intent, task.params)[0] ?? '',
      before: step !== undefined && 'when' in step ? step.message : '',
      call,
      bound: { id: task.execution.planId, tool: call.toolName, input: call.params },
    }
  }

  recalled(here: SupportState, { value, version }: Recalled, { at }: Meter): Turned {
    // A process that died may have stored this very message.
    const own = messageId(here.input)
    const history = messagesIn(value).filter(({ metadata }) => metadata['id'] !== own)
    const dialogue = dialogueIn(history)
    const state: SupportState = { ...here, at, history, version, dialogue, phase: 'identifying' }
    const notes = [stage('history_loaded', { count: version })]
    if (isAnothers(state)) return noting(notes, refused(state, 'other-customer'))
    return noting(notes, answeredBefore(state) ?? { state })
  }

  identified(here: SupportState, value: Json, { at }: Meter): Turned {
    const known: SupportState = { ...here, at, ...recordIn(value) }
    const eligible = eligibleIntents(this.#settings, known).map(({ id }) => id)
    const state: SupportState = { ...known, eligible, phase: 'noting' }
    const notes = [stage('intents_eligible', { intents: eligible })]
    // If a person decided, the customer has said nothing.
    return noting(notes, here.input.review === null ? { state } : read(this.#settings, state))
  }

  noted(here: SupportState, version: number, { at }: Meter): Turned {
    return read(this.#settings, { ...here, at, version })
  }

  /** The history is unknown: nothing is done, and nothing is written over it. */
  notRead(here: SupportState, message: string): Turned {
    return unkept(failTurn(here, `memory: ${message}`))
  }

  /** The customer's message could not be stored, so nothing is done for it. */
  notNoted(here: SupportState, { code, message }: Pick<Problem, 'message'> & NotKept): Turned {
    return code === 'conflict' ? refused(here, code) : unkept(failTurn(here, `memory: ${message}`))
  }

  classified(here: SupportState, { text }: Generated, { at }: Meter): Turned {
    const state = { ...here, at }
    const reading = readClassification(text, intentsOf(this.#settings, state), state.text)
    return typeof reading === 'string'
      ? unread(this.#settings, state, `classification: ${reading}`, true)
      : understood(this.#settings, state, reading)
  }

  notClassified(here: SupportState, problem: string): Turned {
    return unread(this.#settings, here, `classification: ${problem}`)
  }

  plannedBy(here: SupportState, seen: Generated, { at }: Meter): Turned {
    const state = { ...here, at }
    const { task, intent } = this.working(state)
    const made = plannedByModel(state, task, intent, seen)
    if (made.type === 'answer') {
      const isTrue = isCarried(state, intent, made.text, this.#settings.knowledge.texts)
      return answerOpenEnded(this.#settings, state, task, isTrue ? made.text : null)
    }
    return planned(state, { ...task, params: made.params }, made.plan)
  }

  modelFailed(here: SupportState, problem: string): Turned {
    return failTurn(here, `planning: ${problem}`)
  }

  /** Accepts the model's question if it is one and names the requested parameter. */
  asked(here: SupportState, { text }: Generated, { at }: Meter): Turned {
    const state = { ...here, at }
    const { intent, missing } = this.working(state)
    const prompt = text.trim()
    const label = intent.params[missing]?.label ?? missing
    const isQuestion = prompt.includes('?') && prompt.toLowerCase().includes(label.toLowerCase())
    const isTrue = isQuestion && isCarried(state, intent, prompt, this.#settings.knowledge.texts)
    return this.#ask(state, isTrue ? prompt : null)
  }

  decided(here: SupportState, value: Json, { at }: Meter): Turned {
    return this.#check({ ...here, at }, { decision: decisionIn(value), rests: restsIn(value) })
  }

  undecided(here: SupportState, problem: string): Turned {
    return this.#check(here, { decision: undecided(problem), rests: undefined })
  }

  said(here: SupportState, { at }: Meter): Turned {
    const state = { ...here, at }
    const { task, before } = this.working(state)
    return announced(state, task, before)
  }

  called(here: SupportState, outcome: ToolOutcome | undefined, { at }: Meter): Turned {
    const state = { ...here, at }
    const { task, call } = this.working(state)
    return called(this.#settings, state, task, { call, result: resultOf(outcome) })
  }

  /** Accepts the model's answer if the result supports all of it. */
  worded(here: SupportState, { text }: Generated, { at }: Meter): Turned {
    const state = { ...here, at }
    const answer = text.trim()
    const { task, intent } = this.working(state)
    // A model may call the tool once more instead of answering.
    if (answer === '' && state.reprompt === null) {
      return { state: { ...state, reprompt: 'the answer has no text' } }
    }
    const isTrue = answer !== '' && isCarried(state, intent, answer, this.#settings.knowledge.texts)
    return worded(this.#settings, state, task, isTrue ? answer : null)
  }

  /** Words the answer with a template if no model does. */
  notWorded(here: SupportState): Turned {
    if (here.phase === 'asking') return this.#ask(here, null)
    return worded(this.#settings, here, this.working(here).task, null)
  }

  kept(here: SupportState, version: number, { at }: Meter): Turned {
    return { state: { ...here, at, version, phase: 'done' }, notes: [memoryUpdated(version)] }
  }

  /** The customer gets the answer all the same; listeners learn that it is not stored. */
  notKept(here: SupportState, { message }: { readonly message: string }): Turned {
    const failed = stage('memory_updated', { count: here.version, error: message }, 'error')
    return { state: { ...here, phase: 'done' }, notes: [failed] }
  }

  /** An observation that no phase asked for. */
  unasked(here: SupportState, seen: Observation): Turned {
    switch (seen.type) {
      case 'canceled':
        return this.#canceled(here)
      case 'heard':
        return { state: here }
      case 'refused':
        return failTurn(here, seen.message)
      case 'failed':
        return failTurn(here, seen.error.message)
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
        throw new EchelonError('INVALID_DEFINITION', `support asked for no ${seen.type}`)
    }
  }

  /** An existing answer is still given, and completed work is not reported as failed. */
  #canceled(here: SupportState): Turned {
    if (here.phase === 'keeping') return this.notKept(here, { message: 'canceled' })
    if (here.phase === 'wording') return unkept(this.notWorded({ ...here, queue: [] }))
    return unkept(failTurn(here, 'canceled'))
  }

  #check(state: SupportState, judgement: Judgement): Turned {
    return checked(this.#settings, state, this.working(state).task, judgement)
  }

  #ask(state: SupportState, prompt: string | null): Turned {
    const { task, intent } = this.working(state)
    const shop = shopView(state, task)
    const plan = planFor({ intent, params: task.params, isConfirmed: false, shop })
    if (prompt === null) return planned(state, task, plan)
    const steps = plan.steps.map((step) => (isAskUser(step) ? { ...step, prompt } : step))
    return planned({ ...state, wordedBy: 'model' }, task, { ...plan, steps })
  }
}

/** Ends the turn without storing anything in the conversation. */
const unkept = ({ state, notes = [] }: Turned): Turned => ({
  state: { ...state, phase: 'done' },
  notes,
})

interface NotKept {
  readonly code?: Problem['code']
}

/** Does and writes nothing. */
const refused = (here: SupportState, refusal: Refusal): Turned => unkept(failTurn(here, refusal))

/** Whether the conversation belongs to another customer, whose messages must stay private. */
const isAnothers = ({ history, input }: SupportState): boolean =>
  history.some(({ role, metadata }) => {
    const customerId = metadata['customerId']
    const isNamed = role === 'user' && typeof customerId === 'string'
    return isNamed && customerId !== input.interaction.customerId
  })

type Recalled = Extract<Direct, { readonly type: 'recalled' }>
