import type { Listener } from 'echelon/internal/agent'
import type { RunEvent } from 'echelon/runtime'

/** The longest event that is stored, in characters of its JSON. */
export const LONGEST_EVENT: number = 256 * 1024

/** Maximum number of events kept of a run. The oldest go first. */
export const MOST_EVENTS = 10_000

/** Number of events that a read returns by default. */
export const MOST_READ = 1000

const IS_KEPT: Readonly<Record<RunEvent['type'], boolean>> = {
  'run-start': true,
  'step-start': true,
  'step-end': true,
  note: true,
  // The whole text comes with the end of its step.
  'text-delta': false,
  'output-partial': false,
  'text-drop': false,
  'retry-wait': true,
  'model-warning': true,
  'tool-start': true,
  'tool-end': true,
  'tool-progress': true,
  'request-open': true,
  'request-close': true,
  said: true,
  'model-switch': true,
  middleware: true,
  'schema-changed': true,
  log: true,
  'run-suspended': true,
  'run-end': true,
}

type EventType = RunEvent['type']

const isEventType = (name: string): name is EventType => Object.hasOwn(IS_KEPT, name)

const KEPT: ReadonlySet<EventType> = new Set(
  Object.keys(IS_KEPT)
    .filter(isEventType)
    .filter((type) => IS_KEPT[type]),
)

/** Wraps a listener so that it hears only events that are stored. */
export const keepingListener = (hear: Listener['hear']): Listener => ({
  only: KEPT,
  hear: (event, run) => {
    if (KEPT.has(event.type)) hear(event, run)
  },
})

/** An event as JSON text. A notice replaces an event that is too long. */
export function eventText(event: RunEvent): string {
  const text = JSON.stringify(event)
  if (text.length <= LONGEST_EVENT) return text
  const left: RunEvent = {
    type: 'log',
    level: 'warning',
    message: `an event of the type ${event.type} was not kept: it has ${text.length} characters, more than ${LONGEST_EVENT}`,
  }
  return JSON.stringify(left)
}

export function eventOf(text: string): RunEvent {
  const event: RunEvent = JSON.parse(text)
  return event
}

/** Stands in for an event whose stored row is damaged. */
export const DAMAGED_EVENT: RunEvent = {
  type: 'log',
  level: 'warning',
  message: 'the event that was kept here is damaged',
}
