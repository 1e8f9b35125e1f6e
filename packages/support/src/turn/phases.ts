import { describeFailure } from 'echelon/internal/model'
import { Thread } from 'echelon/internal/message'
import type { EffectOf, Message, Phases } from 'echelon/runtime'
import { ownOrdersIn } from '../customer/own-order.ts'
import { type NearestExamples, nearestExamples } from '../understand/nearest-examples.ts'
import { classificationPrompt } from '../wording/classification-prompt.ts'
import { withoutAddresses } from '../wording/private.ts'
import { answerPrompt, askPrompt } from '../wording/prompts.ts'
import { answerMessage, customerMessage, utc } from './conclusion.ts'
import { withoutPrivate } from './masked-notes.ts'
import { planningMessages, toolsOffered } from './planning/model-planning.ts'
import { intentsOf, rungOf } from './reading/offered.ts'
import type { Role, SupportSettings } from './support-settings.ts'
import { type SupportResult, supportResult } from './support-result.ts'
import type { SupportState } from './support-state.ts'
import type { SupportTransitions } from './support-transitions.ts'
import { templateAnswer } from './template-answer.ts'

/**
 * The actors of the agent, and what each may use. An alias, because an interface lacks the index signature that
 * `Actors` requires.
 */
export type SupportActors = {
  readonly memory: {
    readonly reads: readonly ('conversation' | 'customer')[]
    readonly writes: readonly ['conversation']
  }
  readonly classifier: { readonly roles: readonly string[] }
  readonly planner: { readonly roles: readonly string[]; readonly tools: readonly string[] }
  readonly speaker: { readonly roles: readonly string[]; readonly speaks: true }
  readonly executor: { readonly tools: readonly string[] }
}

export type Effects = EffectOf<SupportActors>

/** What each phase does, and what it makes of the outcome. */
export type Table = Phases<SupportState, SupportResult, Effects>

/** Token limit of a question or an answer. */
const MOST_WORDS = 400

/** The state diagram: the effect of each phase, and the transition for each outcome. */
export function phases(settings: SupportSettings, learn: SupportTransitions): Table {
  return {
    ...readingPhases(settings, learn),
    ...planPhases(settings, learn),
    ...actPhases(settings, learn),
    ...endPhases(learn),
  }
}

function readingPhases(
  settings: SupportSettings,
  learn: SupportTransitions,
): Pick<Table, 'recalling' | 'identifying' | 'noting' | 'understanding'> {
  const nearest = nearestExamples(settings.registry.config)
  return {
    recalling: {
      effect: 'recall',
      do: () => ({ type: 'recall', actor: 'memory', memory: 'conversation' }),
      recalled: (here, seen, meter) => learn.recalled(here, seen, meter),
      failed: (here, seen) => learn.notRead(here, seen.error.message),
      refused: (here, seen) => learn.notRead(here, seen.message),
    },
    identifying: {
      effect: 'recall',
      do: ({ input }) => ({
        type: 'recall',
        actor: 'memory',
        memory: 'customer',
        query: input.interaction.customerId,
      }),
      recalled: (here, seen, meter) => learn.identified(here, seen.value, meter),
      // An unknown customer: the rules decide what that allows.
      failed: (here, _seen, meter) => learn.identified(here, null, meter),
      refused: (here, seen) => learn.notRead(here, seen.message),
    },
    noting: {
      effect: 'remember',
      do: (here) => ({
        type: 'remember',
        actor: 'memory',
        memory: 'conversation',
        value: customerMessage(here),
        ifVersion: here.version,
      }),
      remembered: (here, seen, meter) => learn.noted(here, seen.version, meter),
      failed: (here, seen) => learn.notNoted(here, seen.error),
      refused: (here, seen) => learn.notNoted(here, seen),
    },
    understanding: {
      effect: 'generate',
      do: (here) => understand(settings, nearest, here),
      generated: (here, seen, meter) => learn.classified(here, seen, meter),
      failed: (here, seen) => learn.notClassified(here, describeFailure(seen.error)),
      refused: (here, seen) => learn.notClassified(here, seen.message),
    },
  }
}

function understand(settings: SupportSettings, nearest: NearestExamples, here: SupportState) {
  const { history, dialogue, text, at, reprompt } = here
  const intents = intentsOf(settings, here)
  const { messages, schema } = classificationPrompt({
    intents,
    history,
    dialogue,
    text,
    today: utc(at).slice(0, 10),
    orders: ownOrdersIn(here.orders),
    nearest: nearest(text, intents),
    problem: reprompt,
  })
  const role = rungOf(settings, here)
  return { ...ask(messages), actor: 'classifier', role, schema } as const
}

function planPhases(
  { words, registry }: SupportSettings,
  learn: SupportTransitions,
): Pick<Table, 'planning' | 'asking' | 'checking'> {
  return {
    planning: {
      effect: 'generate',
      do: (here) => {
        const { task, intent } = learn.working(here)
        const tools = toolsOffered(intent)
        const messages = planningMessages(here, task, intent)
        return { ...ask(messages), actor: 'planner', role: roleOf(words), tools }
      },
      generated: (here, seen, meter) => learn.plannedBy(here, seen, meter),
      failed: (here, seen) => learn.modelFailed(here, describeFailure(seen.error)),
      refused: (here, seen) => learn.modelFailed(here, seen.message),
    },
    asking: {
      effect: 'generate',
      do: (here) => {
        const { intent, missing } = learn.working(here)
        const said = withoutPrivate(here, intent, registry.config.redactedParams)
        const messages = askPrompt({ intent, param: missing, ...said })
        return { ...ask(messages), actor: 'speaker', role: roleOf(words), maxTokens: MOST_WORDS }
      },
      generated: (here, seen, meter) => learn.asked(here, seen, meter),
      failed: (here) => learn.notWorded(here),
      refused: (here) => learn.notWorded(here),
    },
    checking: {
      effect: 'permit',
      do: (here) => ({ type: 'permit', actor: 'executor', call: learn.working(here).bound }),
      permitted: (here, seen, meter) => learn.decided(here, seen.verdict.details ?? null, meter),
      failed: (here, seen) => learn.undecided(here, seen.error.message),
      refused: (here, seen) => learn.undecided(here, seen.message),
    },
  }
}

function actPhases(
  settings: SupportSettings,
  learn: SupportTransitions,
): Pick<Table, 'announcing' | 'acting' | 'wording'> {
  const { words, registry } = settings
  return {
    announcing: {
      effect: 'say',
      do: (here) => ({ type: 'say', actor: 'speaker', text: learn.working(here).before }),
      said: (here, _seen, meter) => learn.said(here, meter),
    },
    acting: {
      effect: 'call-tools',
      do: (here) => ({
        type: 'call-tools',
        actor: 'executor',
        calls: [learn.working(here).bound],
      }),
      'tools-called': (here, seen, meter) => learn.called(here, seen.outcomes[0], meter),
    },
    wording: {
      effect: 'generate',
      do: (here) => {
        const { task, intent } = learn.working(here)
        const template = templateAnswer(settings, task)
        const data = withoutAddresses(here.result?.data ?? null, intent.wording.post)
        const said = withoutPrivate(here, intent, registry.config.redactedParams)
        const messages = answerPrompt({ intent, result: data, template, ...said })
        return { ...ask(messages), actor: 'speaker', role: roleOf(words), maxTokens: MOST_WORDS }
      },
      generated: (here, seen, meter) => learn.worded(here, seen, meter),
      failed: (here) => learn.notWorded(here),
      refused: (here) => learn.notWorded(here),
    },
  }
}

function endPhases(learn: SupportTransitions): Pick<Table, 'keeping' | 'done'> {
  return {
    keeping: {
      effect: 'remember',
      do: (here) => ({
        type: 'remember',
        actor: 'memory',
        memory: 'conversation',
        value: answerMessage(here),
      }),
      remembered: (here, seen, meter) => learn.kept(here, seen.version, meter),
      failed: (here, seen) => learn.notKept(here, seen.error),
      refused: (here, seen) => learn.notKept(here, seen),
    },
    done: {
      finish: (here) => ({ type: 'finish', reason: here.outcome, result: supportResult(here) }),
    },
  }
}

const ask = (messages: readonly Message[]) =>
  ({ type: 'generate', messages: Thread.of(messages), sampling: { temperature: 0 } }) as const

/** Without a model that words, no phase asks for one. */
const roleOf = (words: Role | null): Role => words ?? 'small'
