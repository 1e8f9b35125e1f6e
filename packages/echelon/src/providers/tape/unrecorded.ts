import { describeDifferences, differences, mostAlike } from '../../core/value/parting.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Asked } from './request.ts'
import type { ModelTape } from './tape.ts'
import type { RecordedCall } from './tape-line.ts'

/** A request to which a tape holds no answer, or none any more. */
export function unrecorded(asked: Asked, tape: ModelTape): EchelonError {
  const { model, request } = asked
  const { path } = tape
  const given = tape.answersTo(asked)
  const ofModel = tape.calls.filter((call) => call.model === model)
  const near = mostAlike(request, ofModel, (call) => call.request)
  const message =
    given.length > 0
      ? usedUp(path, given)
      : `${path} holds no answer to this request of ${model}. ${whatItHolds(asked, near)}`
  const details = { path, model, nearest: near?.n ?? null }
  return new EchelonError('UNRECORDED_CALL', message, { details })
}

function usedUp(path: string, given: readonly RecordedCall[]): string {
  const numbers = given.map(({ n }) => n).join(', ')
  const isCut = given.at(-1)?.outcome.type === 'given-up'
  const why = isCut ? '; the last of them was given up, and its run may have ended there' : ''
  return `every answer of ${path} to this request of ${given[0]?.model} has been given (call ${numbers})${why}; record a run that asks as often`
}

function whatItHolds(asked: Asked, near: RecordedCall | undefined): string {
  if (near === undefined) return 'It holds no call of this model at all; record anew'
  const found = [
    ...differences(near.stream, asked.stream, 'stream'),
    ...differences(near.request, asked.request),
  ]
  return `Ask as it was recorded, or record anew; the nearest is call ${near.n}, which differs in\n${describeDifferences(found)}`
}
