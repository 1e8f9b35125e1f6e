import type { Attributes } from '@opentelemetry/api'
import type { Note, Json } from 'echelon/runtime'
import { isJsonObject } from 'echelon/internal/value'
import { safeName } from './open-span.ts'
import { ECHELON, EVENTS } from './names.ts'

/** A decision of an agent, without any user text. */
export type Decision =
  | { readonly type: 'verdict'; readonly verdict: string; readonly facts: Attributes }
  | { readonly type: 'gate'; readonly decision: string; readonly facts: Attributes }
  | { readonly type: 'escalation'; readonly facts: Attributes }
  | { readonly type: 'note'; readonly facts: Attributes }

/** Reads a note: the content of decision agent notes, only the name of all others. */
export function decisionOf({ stage, data }: Note): Decision {
  const { event, metric, decision, rung, metadata, details } = data
  const { round, rung_model: model } = objectOf(metadata)
  const facts: Attributes = {
    ...(typeof rung === 'string' ? named(ECHELON.rung, rung) : {}),
    ...(typeof round === 'number' ? { [ECHELON.round]: round } : {}),
    ...(typeof metric === 'number' ? { [ECHELON.metric]: metric } : {}),
  }
  if (
    stage === 'verify' &&
    (event === 'verified' || event === 'supported' || event === 'not_verified')
  )
    return { type: 'verdict', verdict: event, facts: { ...facts, [ECHELON.verdict]: event } }
  if (
    stage === 'act' &&
    (decision === 'stop' || decision === 'continue' || decision === 'escalate')
  )
    return { type: 'gate', decision, facts: { ...facts, [ECHELON.decision]: decision } }
  if (stage === 'escalate' && event === 'escalate_to_big') {
    const { to } = objectOf(details)
    return {
      type: 'escalation',
      facts: { ...named(ECHELON.from, model), ...named(ECHELON.to, to) },
    }
  }
  return { type: 'note', facts: named(ECHELON.stage, stage) }
}

export const eventOf = ({ type }: Decision): string => EVENTS[type]

const objectOf = (value: Json | undefined): Readonly<Record<string, Json>> =>
  isJsonObject(value) ? value : {}

function named(name: string, value: Json | undefined): Attributes {
  const word = safeName(value)
  return word === undefined ? {} : { [name]: word }
}
