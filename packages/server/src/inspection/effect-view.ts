import type { StepView } from 'echelon/client'
import type { Effect, Finish, Observation } from 'echelon/runtime'

type Described = Pick<StepView, 'effect' | 'actor' | 'targets' | 'role'>

interface Known {
  /** The effect that the definition requested; `undefined` if it is not known. */
  readonly asked: Effect | Finish<unknown> | undefined
  readonly seen: Observation | null
  /** Models by role. */
  readonly models: Readonly<Record<string, string>>
}

/** Describes a step's effect with the fields of events. */
export function effectView({ asked, seen, models }: Known): Described {
  if (seen?.type === 'heard' || seen?.type === 'canceled') {
    return { effect: seen.type, actor: null, targets: [], role: null }
  }
  // Without its definition, the effect follows only from the observation.
  if (asked === undefined || asked.type === 'finish') {
    return { effect: effectOf(seen), actor: null, targets: answeredBy(seen), role: null }
  }
  const answered = answeredBy(seen)
  const targets = answered.length > 0 ? answered : targetsOf(asked, models)
  if (asked.type === 'together') return { effect: 'together', actor: null, targets, role: null }
  const role = asked.type === 'generate' ? asked.role : null
  return { effect: asked.type, actor: asked.actor, targets, role }
}

function targetsOf(asked: Effect, models: Known['models']): readonly string[] {
  switch (asked.type) {
    case 'generate':
      return [models[asked.role] ?? asked.role]
    case 'call-tools':
      return asked.calls.map(({ tool }) => tool)
    case 'permit':
      return [asked.call.tool]
    case 'recall':
    case 'remember':
      return [asked.memory]
    case 'together':
      return asked.effects.flatMap((one) => targetsOf(one, models))
    case 'ask':
    case 'say':
    case 'sleep':
      return []
  }
}

const answeredBy = (seen: Observation | null): readonly string[] =>
  seen?.type === 'generated' ? [seen.model] : []

function effectOf(seen: Observation | null): Described['effect'] {
  switch (seen?.type) {
    case 'generated':
      return 'generate'
    case 'tools-called':
      return 'call-tools'
    case 'permitted':
      return 'permit'
    case 'answered':
    case 'unanswered':
      return 'ask'
    case 'said':
      return 'say'
    case 'woke':
      return 'sleep'
    case 'recalled':
      return 'recall'
    case 'remembered':
      return 'remember'
    case 'together':
    case 'heard':
    case 'canceled':
      return seen.type
    case 'refused':
    case 'failed':
    case undefined:
      return null
  }
}
