import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ModelAnswer } from '../runtime/model/model-answer.ts'
import type { MeteredAttempt } from './metered-attempt.ts'

type Part = LanguageModelV4StreamPart
type Finish = Extract<Part, { type: 'finish' }>

/** The end of a live stream. */
export interface LiveEnds {
  /** Settles the call, and returns the last part as the caller gets it. */
  readonly onAnswered: (answer: ModelAnswer, finish: Finish) => Promise<Part>
  /** Charges the failed call; returns the tokens so far. */
  readonly onFailed: (error: unknown) => LanguageModelV4Usage
  /** Called when the reader leaves before the end. */
  readonly onLeft: () => void
}

/** Passes a stream on as it comes, and settles its call when it ends or breaks off. */
export function liveStream(
  attempt: MeteredAttempt,
  stream: ReadableStream<Part>,
  ends: LiveEnds,
): ReadableStream<Part> {
  let isLeft = false
  return new ReadableStream({
    start(controller) {
      const pass = (part: Part): void => {
        if (!isLeft) controller.enqueue(part)
      }
      const finished = async (): Promise<void> => {
        try {
          pass(await lastPart(attempt, stream, { ends, pass }))
        } catch (error) {
          const usage = ends.onFailed(error)
          if (isLeft) return
          // An abort ends a stream without a last part, as it does in the AI SDK's own models.
          if (attempt.options.abortSignal?.aborted === true) return controller.error(error)
          for (const part of failedParts(error, usage)) pass(part)
        }
        if (!isLeft) controller.close()
      }
      void finished()
    },
    cancel() {
      isLeft = true
      ends.onLeft()
    },
  })
}

async function lastPart(
  attempt: MeteredAttempt,
  stream: ReadableStream<Part>,
  { ends, pass }: { readonly ends: LiveEnds; readonly pass: (part: Part) => void },
): Promise<Part> {
  let finish: Finish | undefined
  const answer = await attempt.read(stream, (part) => {
    // The finish and an error are passed on at the end, with the tokens of all calls.
    if (part.type === 'finish') finish = part
    else if (part.type !== 'error') pass(part)
  })
  if (finish === undefined) throw new Error('the stream ended before the answer did')
  return ends.onAnswered(answer, finish)
}

const failedParts = (error: unknown, usage: LanguageModelV4Usage): readonly Part[] => [
  { type: 'error', error },
  { type: 'finish', usage, finishReason: { unified: 'error', raw: undefined } },
]
