import { isJsonObject, type Json } from 'echelon/runtime'
import { hasEnded } from 'echelon/internal/store'
import type { OpenRequest, RunSummary } from '@echelon/store'
import { clean } from '../terminal/clean.ts'

/** The status of a run in words. */
export interface InWords {
  readonly kind: 'works' | 'waits' | 'stopped' | 'good' | 'bad' | 'broken'
  readonly text: string
}

export function standingOf(run: RunSummary, now: number = Date.now()): InWords {
  const { status, requests, reason, wakeAt, isCancelAsked } = run
  if (status === 'damaged') return { kind: 'broken', text: `is damaged: ${clean(reason ?? '')}` }
  if (hasEnded(run)) return endOf(run)
  if (isCancelAsked) return { kind: 'works', text: 'is being canceled' }
  const [first, ...more] = requests
  if (first !== undefined) {
    const what = more.length === 0 ? awaited(first) : `${requests.length} answers`
    return { kind: 'waits', text: `waits for ${what}` }
  }
  if (status === 'running') return { kind: 'works', text: 'is running' }
  if (status === 'interrupted') return { kind: 'stopped', text: 'was interrupted' }
  if (wakeAt !== null && wakeAt > now)
    return { kind: 'waits', text: `sleeps ${lasting(wakeAt - now)}` }
  return { kind: 'stopped', text: 'can be resumed' }
}

/** Reasons that mean plain success. */
const DONE = new Set(['stop', 'success', 'done', 'answered'])

/** Describes the end of a case by its `finish_reason`. */
const CASE_ENDS: ReadonlyMap<string, string> = new Map([
  ['supported', 'supported, not proved'],
  ['big_fail', 'not verified'],
  ['unchecked', 'not checked'],
  ['blocked', 'no model can answer'],
  ['budget', 'a limit was reached'],
])

function endOf({ agent, status, reason }: RunSummary): InWords {
  if (status === 'canceled') return { kind: 'bad', text: 'was canceled' }
  if (status === 'failed') return { kind: 'bad', text: `failed: ${clean(reason ?? '')}` }
  if (reason === null || DONE.has(reason)) return { kind: 'good', text: 'done' }
  const known = agent === 'decide' ? CASE_ENDS.get(reason) : undefined
  return { kind: reason === 'supported' ? 'good' : 'bad', text: known ?? `ended: ${clean(reason)}` }
}

/** Names the thing that a request waits for. */
function awaited({ about }: OpenRequest): string {
  const tool = isJsonObject(about) && about['type'] === 'approval' ? about['tool'] : undefined
  return typeof tool === 'string' ? `your approval of ${clean(tool)}` : 'your answer'
}

/** The question on one line. */
export function askedIn(about: Json): string {
  const { question } = isJsonObject(about) ? about : {}
  return clean(typeof question === 'string' ? question : JSON.stringify(about))
}

const UNITS: readonly (readonly [ms: number, one: string, many: string])[] = [
  [24 * 60 * 60 * 1000, 'day', 'days'],
  [60 * 60 * 1000, 'h', 'h'],
  [60 * 1000, 'min', 'min'],
  [1000, 's', 's'],
]

/** A duration in its largest unit. */
export function lasting(ms: number): string {
  const [size, one, many] = UNITS.find(([unit]) => ms >= unit) ?? [1000, 's', 's']
  const count = Math.floor(Math.max(0, ms) / size)
  return `${count} ${count === 1 ? one : many}`
}

/** A moment in local time. */
export const moment = (at: number): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
