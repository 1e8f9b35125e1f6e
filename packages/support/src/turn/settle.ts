import type { JsonObject } from 'echelon/runtime'
import { sameJson } from 'echelon/internal/value'
import { CONFIRMATION, type OpenIntent, type QueuedIntent } from './dialogue.ts'
import type { SupportState } from './support-state.ts'
import type { Understanding } from '../understand/understanding.ts'

/** The effect of a message. */
export type Settled =
  /** Resumes the open plan with the new parameters. */
  | {
      readonly do: 'go-on'
      readonly open: OpenIntent
      readonly params: JsonObject
      readonly further: Wishes
    }
  /** The customer answered the open question with yes. */
  | { readonly do: 'confirmed'; readonly open: OpenIntent; readonly further: Wishes }
  /** Drops the open plan; another request may follow. */
  | { readonly do: 'drop'; readonly open: OpenIntent | null }
  /** Starts something new; an open plan is dropped. */
  | { readonly do: 'begin'; readonly wishes: Wishes; readonly dropped: OpenIntent | null }
  /** The open question was not answered. */
  | { readonly do: 'ask-again'; readonly open: OpenIntent }
  | { readonly do: 'not-understood' }

type Wishes = readonly QueuedIntent[]

/** Determines the effect of a message from the open state of the conversation. */
export function settle({ dialogue }: SupportState, understanding: Understanding): Settled {
  const { open, last } = dialogue
  const { act, wishes } = understanding
  const queued = wishes.map(({ intentId, params }): QueuedIntent => ({ intentId, params }))
  const [first, ...rest] = queued
  switch (act) {
    case 'answer':
    case 'wish':
      if (first === undefined) return unclear(open)
      return open !== null && (act === 'answer' || first.intentId === open.intentId)
        ? goOn(open, first.params, rest)
        : { do: 'begin', wishes: queued, dropped: open }
    case 'correct':
      return corrected(first, open, last)
    case 'yes':
      return open?.param === CONFIRMATION
        ? { do: 'confirmed', open, further: queued }
        : unclear(open)
    case 'no':
      return open?.param === CONFIRMATION ? { do: 'drop', open } : unclear(open)
    case 'drop':
      return { do: 'drop', open }
    case 'unclear':
      return unclear(open)
  }
}

const unclear = (open: OpenIntent | null): Settled =>
  open === null ? { do: 'not-understood' } : { do: 'ask-again', open }

/**
 * Naming the requested value answers the question. If this changes a plan to be confirmed, the confirmation is
 * asked again.
 */
function goOn(open: OpenIntent, params: JsonObject, further: Wishes): Settled {
  if (open.param !== CONFIRMATION) return { do: 'go-on', open, params, further }
  const isOther = Object.entries(params).some(
    ([name, value]) => !sameJson(open.params[name], value),
  )
  if (!isOther) return { do: 'ask-again', open }
  const { intentId } = open
  const wishes = [{ intentId, params: { ...open.params, ...params } }, ...further]
  return { do: 'begin', wishes, dropped: open }
}

/**
 * Applies a correction to earlier values. If it gives no new value, the value is asked for: a correction that
 * names nothing takes back all values.
 */
function corrected(
  wish: QueuedIntent | undefined,
  open: OpenIntent | null,
  last: QueuedIntent | null,
): Settled {
  const about = open ?? last
  if (about === null) {
    return wish === undefined ? unclear(open) : { do: 'begin', wishes: [wish], dropped: null }
  }
  const intentId = wish?.intentId ?? about.intentId
  const named = wish?.params ?? {}
  const kept = Object.keys(named).length === 0 || intentId !== about.intentId ? {} : about.params
  const again: QueuedIntent = { intentId, params: { ...kept, ...named } }
  return { do: 'begin', wishes: [again], dropped: open }
}
