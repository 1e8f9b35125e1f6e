import type { LanguageModelV4 } from '@ai-sdk/provider'
import { digestText } from '../core/value/digest.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { Timeline } from './timeline.ts'

/**
 * A model that middleware, or a switch, brings as an object. What it costs and what its errors mean
 * is asked of that object itself.
 */
export const givenModel = (model: LanguageModelV4): BoundModel => ({
  id: `given/${model.provider}/${model.modelId}`,
  model,
  price: () => null,
})

/** The same model, whose answers, and each part of a stream, come in on a timeline. */
export function timedModel(bound: BoundModel, timeline: Timeline): BoundModel {
  const { id, model } = bound
  // By what is asked, so that the order of calls at the same time does not count.
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
    // Nothing is read ahead: what nobody heard never came in.
    { highWaterMark: 0 },
  )
}
