import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { adaptedModel } from './adapted-model.ts'

const ASK: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
}
const NO_SEED: SharedV4Warning = { type: 'unsupported', feature: 'seed' }
const NO_STOP: SharedV4Warning = { type: 'unsupported', feature: 'stop' }

/** A model that adds a warning about the seed to every answer. */
function warning(model: LanguageModelV4): LanguageModelV4 {
  const { provider, modelId, supportedUrls } = model
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: async (options) => ({ ...(await model.doGenerate(options)), warnings: [NO_SEED] }),
    async doStream(options) {
      const { stream } = await model.doStream(options)
      const relay = new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
        transform: (part, controller) =>
          controller.enqueue(
            part.type === 'stream-start' ? { ...part, warnings: [NO_SEED] } : part,
          ),
      })
      return { stream: stream.pipeThrough(relay) }
    },
  }
}

async function streamed(model: LanguageModelV4): Promise<readonly SharedV4Warning[]> {
  const warnings: SharedV4Warning[] = []
  for await (const part of (await model.doStream(ASK)).stream) {
    if (part.type === 'stream-start') warnings.push(...part.warnings)
  }
  return warnings
}

test('passes the adapted call to the model', async () => {
  const scripted = scriptedModel(['one'])
  const model = adaptedModel(scripted, (options) => ({
    options: { stopSequences: ['\n\n'], ...options },
  }))
  await model.doGenerate({ ...ASK, seed: 7 })
  assert.deepEqual(scripted.calls[0]?.stopSequences, ['\n\n'])
  assert.equal(scripted.calls[0]?.seed, 7)
  assert.equal(model.modelId, scripted.modelId)
})

test('reports a warning with the first answer only, streaming or not', async () => {
  const adapt = (options: LanguageModelV4CallOptions) => ({ options, warnings: [NO_STOP] })
  const whole = adaptedModel(warning(scriptedModel(['one', 'two', 'three'])), adapt)
  assert.deepEqual((await whole.doGenerate(ASK)).warnings, [NO_STOP, NO_SEED])
  assert.deepEqual((await whole.doGenerate(ASK)).warnings, [])
  assert.deepEqual(await streamed(whole), [])
  const stream = adaptedModel(warning(scriptedModel(['one', 'two'])), adapt)
  assert.deepEqual(await streamed(stream), [NO_STOP, NO_SEED])
  assert.deepEqual(await streamed(stream), [])
})

test('reports warnings again after a stream that was not read to its end', async () => {
  const model = adaptedModel(warning(scriptedModel(['one', 'two'])), (options) => ({ options }))
  for await (const part of (await model.doStream(ASK)).stream) {
    if (part.type === 'stream-start') break
  }
  assert.deepEqual((await model.doGenerate(ASK)).warnings, [NO_SEED])
})

test('drops an expected warning', async () => {
  const model = adaptedModel(warning(scriptedModel(['one'])), (options) => ({
    options,
    isExpected: (one) => one.type === 'unsupported' && one.feature === 'seed',
  }))
  assert.deepEqual((await model.doGenerate(ASK)).warnings, [])
})
