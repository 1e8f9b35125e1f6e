import type { ChatEnd } from 'echelon/chat'
import { isJsonObject, type Json, type RunEvent } from 'echelon/runtime'
import { clean } from '../terminal/clean.ts'
import { describeCall, describeOutcome } from './describe-tool.ts'

/** A line beside the answer that shows an event. */
export interface EventLine {
  readonly kind: 'start' | 'good' | 'bad' | 'note'
  readonly text: string
}

/** @returns undefined for an event that is not shown */
export function eventLine(event: RunEvent): EventLine | undefined {
  switch (event.type) {
    case 'tool-start':
      return { kind: 'start', text: `• ${describeCall(event.call)}` }
    case 'tool-end': {
      const text = describeOutcome(event.call.tool, event.outcome)
      return { kind: event.outcome.type === 'ok' ? 'good' : 'bad', text: `  ${text}` }
    }
    case 'tool-progress':
      return { kind: 'note', text: `  … ${clean(progressOf(event.data))}` }
    case 'retry-wait':
      return again(event.problem.message, event.waitMs)
    case 'middleware':
      if (event.middleware === 'knowledge') return lookedUp(event.event, event.data)
      return event.event === 'retry' ? retried(event.data) : undefined
    case 'model-warning':
      return { kind: 'note', text: `! ${clean(event.message)}` }
    case 'log':
      return event.level === 'info' ? undefined : warned(event)
    case 'said':
      return { kind: 'note', text: clean(event.text) }
    case 'run-start':
    case 'run-suspended':
    case 'run-end':
    case 'step-start':
    case 'step-end':
    case 'note':
    case 'text-delta':
    case 'output-partial':
    case 'text-drop':
    case 'request-open':
    case 'request-close':
    case 'model-switch':
    case 'schema-changed':
      return undefined
  }
}

/** Whether the event says what a turn is doing; others may hold text that is not checked yet. */
export const isProgress = ({ type }: RunEvent): boolean =>
  type === 'step-start' || type === 'retry-wait' || type === 'model-warning'

/** Describes progress in the form of MCP servers: done, total, and a message. */
function progressOf(data: Json): string {
  const { progress, total, message = '' } = isJsonObject(data) ? data : {}
  if (typeof progress !== 'number') return JSON.stringify(data)
  const far = typeof total === 'number' ? `${progress} of ${total}` : String(progress)
  return message === '' ? far : `${far}: ${typeof message === 'string' ? message : ''}`
}

function warned({ level, message, detail }: Extract<RunEvent, { type: 'log' }>): EventLine {
  const why = detail === undefined ? '' : ` (${clean(detail)})`
  return { kind: level === 'error' ? 'bad' : 'note', text: `! ${clean(message)}${why}` }
}

/** Lists the passages found in documents, with the numbers that an answer cites. */
function lookedUp(event: string, data: Json): EventLine {
  if (event === 'failed') return { kind: 'bad', text: '! the documents could not be searched' }
  const pieces = isJsonObject(data) && Array.isArray(data['pieces']) ? data['pieces'] : []
  const said = pieces.filter(isJsonObject).map(({ number, source, page }) => {
    const at = typeof page === 'number' ? `, page ${page}` : ''
    return `[${asText(number)}] ${clean(asText(source))}${at}`
  })
  return {
    kind: 'note',
    text: said.length === 0 ? '• documents: nothing near enough' : `• documents: ${said.join(' ')}`,
  }
}

const asText = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** A retry by middleware instead of the runtime. */
function retried(data: Json): EventLine | undefined {
  if (!isJsonObject(data)) return undefined
  const { message, waitMs } = data
  const isKnown = typeof message === 'string' && typeof waitMs === 'number'
  return isKnown ? again(message, waitMs) : undefined
}

const again = (message: string, waitMs: number): EventLine => ({
  kind: 'bad',
  text: `! ${clean(message)}; again in ${(waitMs / 1000).toFixed(1)} s`,
})

type EndOfTurn = Pick<ChatEnd<unknown>, 'reason' | 'detail' | 'problem'>

/** Says why a turn has no complete answer; undefined if it has one. */
export function endLine(end: EndOfTurn): string | undefined {
  if (end.reason === 'stop') return undefined
  if (end.reason === 'canceled') return 'canceled'
  if (end.problem !== null && end.detail !== null) return clean(end.detail)
  const detail = end.detail === null ? '' : `: ${clean(end.detail)}`
  return `the answer is not complete (${clean(end.reason)})${detail}`
}
