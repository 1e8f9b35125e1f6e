import type { LanguageModelV4 } from '@ai-sdk/provider'
import { digestText } from '../core/value/digest.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { Timeline } from './timeline.ts'

/**
 * A bound model for a model object from middleware or a switch. Price and error meanings come from
 * the object itself.
 */
export const givenModel = (model: LanguageModelV4): BoundModel => ({
  id: `given/${model.provider}/${model.modelId}`,
  model,
  price: () => null,
})

/** The same model, with answers and stream parts delivered on a timeline. */
export function timedModel(bound: BoundModel, timeline: Timeline): BoundModel {
  const { id, model } = bound
  // Keyed by the prompt, so that the order of concurrent calls does not matter.
  const keyOf = (prompt: unknown): string =>
    timeline.numbered(`model ${id} ${digestText(JSON.stringify(prompt)).toString(36)}`)
  const timed: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (options) =>
      timeline.settle(keyOf(options.prompt), Promise.resolve(model.doGenerate(options))),
    async doStream(options) {
      const key = keyOf(options.prompt)
      const result = await timeline.settle(key, Promise.resolve(model.doStream(options)))
      return { ...result, stream: timedStream(result.stream, key, timeline) }
    },
  }
  return { ...bound, model: timed }
}

function timedStream<Part>(
  stream: ReadableStream<Part>,
  key: string,
  timeline: Timeline,
): ReadableStream<Part> {
  const reader = stream.getReader()
  let parts = 0
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const { done, value } = await timeline.settle(`${key}.${++parts}`, reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // No read-ahead: parts that were not read never arrived.
    { highWaterMark: 0 },
  )
}
