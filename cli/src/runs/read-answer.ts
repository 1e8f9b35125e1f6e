import { EchelonError, type Json } from 'echelon/runtime'
import type { OpenRequest, RunSummary } from '@echelon/store'
import { questionOf } from '../conversation/question.ts'
import { clean } from '../terminal/clean.ts'
import { nameAsked } from './say-waiting.ts'
import { standingOf } from './words.ts'

/**
 * The request that a reply is for.
 * @throws EchelonError INVALID_INPUT if several are open and none is named, or none is open
 */
export function requestOf(run: RunSummary, named: string | undefined): OpenRequest {
  const { requests } = run
  const id = clean(run.id.slice(0, 8))
  const [first, second] = requests
  if (first === undefined) {
    throw usage(`the run ${id} waits for no answer; it ${standingOf(run).text}`)
  }
  const found = requests.find((request) => request.id === named)
  if (found !== undefined) return found
  if (named === undefined && second === undefined) return first
  const all = requests.map((request) => `${clean(request.id)} (${nameAsked(request.about)})`)
  throw usage(
    `${named === undefined ? `the run ${id} has several open requests` : `the run ${id} has no open request ${clean(named)}`}; name one with --request: ${all.join(', ')}`,
  )
}

/**
 * Parses a reply to a request.
 * @throws EchelonError INVALID_INPUT with the possible answers
 */
export function readAnswer({ about }: OpenRequest, written: string): Json {
  const question = questionOf(about)
  if (question.form !== undefined && /^\/?decline$/i.test(written.trim())) return 'decline'
  const reply = question.read(written)
  if (reply !== undefined) return reply
  const what = question.tool === undefined ? readable(question.prompt) : choicesOf(question.mayHold)
  throw usage(`"${clean(written)}" is not a valid answer; write ${what}`)
}

const choicesOf = (mayHold: boolean): string =>
  mayHold ? 'once, always, no (or deny) or never' : 'once or no (it is asked each time)'

/** A short description of the expected reply. */
const readable = (prompt: string): string =>
  prompt.startsWith('yes') ? 'yes or no' : prompt.includes('JSON') ? 'JSON' : 'your answer'

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
