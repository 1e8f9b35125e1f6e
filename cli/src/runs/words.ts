import { isJsonObject, type Json } from 'echelon/runtime'
import type { OpenRequest, RunStatus, RunSummary } from '@echelon/store'
import { clean } from '../terminal/clean.ts'

/** How a run stands, in words. */
export interface InWords {
  readonly kind: 'works' | 'waits' | 'stopped' | 'good' | 'bad' | 'broken'
  readonly text: string
}

export function standingOf(run: RunSummary, now: number = Date.now()): InWords {
  const { status, requests, reason, wakeAt, isCancelAsked } = run
  if (status === 'damaged') return { kind: 'broken', text: `is damaged: ${clean(reason ?? '')}` }
  if (status === 'finished' || status === 'canceled') return endOf(status, reason)
  if (isCancelAsked) return { kind: 'works', text: 'is being canceled' }
  const [first, ...more] = requests
  if (first !== undefined) {
    const what = more.length === 0 ? awaited(first) : `${requests.length} answers`
    return { kind: 'waits', text: `waits for ${what}` }
  }
  if (status === 'running') return { kind: 'works', text: 'works' }
  if (status === 'interrupted') return { kind: 'stopped', text: 'was interrupted' }
  if (wakeAt !== null && wakeAt > now)
    return { kind: 'waits', text: `sleeps ${lasting(wakeAt - now)}` }
  return { kind: 'stopped', text: 'may go on' }
}

/** Reasons that are no more than that it is done. */
const DONE = new Set(['stop', 'success', 'done', 'answered'])

function endOf(status: RunStatus, reason: string | null): InWords {
  if (status === 'canceled') return { kind: 'bad', text: 'was canceled' }
  if (reason === null || DONE.has(reason)) return { kind: 'good', text: 'done' }
  return { kind: 'bad', text: `ended: ${clean(reason)}` }
}

/** What is waited for. */
function awaited({ about }: OpenRequest): string {
  const tool = isJsonObject(about) && about['type'] === 'approval' ? about['tool'] : undefined
  return typeof tool === 'string' ? `your approval of ${clean(tool)}` : 'your answer'
}

/** What is asked, on one line. */
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

/** A length of time in its largest unit. */
export function lasting(ms: number): string {
  const [size, one, many] = UNITS.find(([unit]) => ms >= unit) ?? [1000, 's', 's']
  const count = Math.floor(Math.max(0, ms) / size)
  return `${count} ${count === 1 ? one : many}`
}

/** A moment, as whoever sits here reads clocks. */
export const moment = (at: number): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
