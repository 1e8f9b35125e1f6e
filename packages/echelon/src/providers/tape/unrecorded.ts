import { describeDifferences, differences, mostAlike } from '../../core/value/parting.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Asked } from './request.ts'
import type { ModelTape } from './tape.ts'
import type { RecordedCall } from './tape-line.ts'

/** The error for a request without an unused answer on the tape. */
export function unrecorded(asked: Asked, tape: ModelTape): EchelonError {
  const { model, request } = asked
  const { path } = tape
  const given = tape.answersTo(asked)
  const ofModel = tape.calls.filter((call) => call.model === model)
  const near = mostAlike(request, ofModel, (call) => call.request)
  const message =
    given.length > 0
      ? usedUp(path, given)
      : `${path} holds no answer to this request of ${model}. ${nearestCall(asked, near)}`
  const details = { path, model, nearest: near?.n ?? null }
  return new EchelonError('UNRECORDED_CALL', message, { details })
}

function usedUp(path: string, given: readonly RecordedCall[]): string {
  const numbers = given.map(({ n }) => n).join(', ')
  const isCut = given.at(-1)?.outcome.type === 'given-up'
  const why = isCut ? '; the last of them was aborted, and its run may have ended there' : ''
  return `every answer of ${path} to this request of ${given[0]?.model} has been used (call ${numbers})${why}; record a run that makes as many calls`
}

function nearestCall(asked: Asked, near: RecordedCall | undefined): string {
  if (near === undefined) return 'It holds no call of this model; record again'
  const found = [
    ...differences(near.stream, asked.stream, 'stream'),
    ...differences(near.request, asked.request),
  ]
  return `Repeat the recorded request, or record again; the nearest is call ${near.n}, which differs in\n${describeDifferences(found)}`
}
