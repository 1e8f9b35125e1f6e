import assert from 'node:assert/strict'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { casesOf, type ContractCase, frozen, inTime } from '../contract.ts'

/** The call to a model, and its time limit. */
export interface ModelTrial {
  /** The call's options. Default: `Say hello.` */
  readonly call?: LanguageModelV4CallOptions
  /** The maximum duration of an answer, in real milliseconds. Default 30,000. */
  readonly patienceMs?: number
}

/**
 * The requirements of every language model, including one that wraps another (`wrapModel`): `for
 * (const { name, holds } of modelContract(open)) test(name, holds)`. Makes eight calls in all, at
 * the model's usual price.
 * @param open a model for each case, which answers any question
 */
export function modelContract(
  open: () => LanguageModelV4 | Promise<LanguageModelV4>,
  { call = HELLO, patienceMs = 30_000 }: ModelTrial = {},
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const answer = <Value>(promise: PromiseLike<Value>): Promise<Value> =>
    inTime(Promise.resolve(promise), 'the model answers', patienceMs)
  return [
    caseOf('has the specification version, a provider and an id', (model) => {
      assert.equal(model.specificationVersion, 'v4')
      assert.notEqual(model.provider, '')
      assert.notEqual(model.modelId, '')
    }),
    caseOf('an answer has content, a finish reason and usage', async (model) => {
      const { content, finishReason, usage, warnings } = await answer(model.doGenerate(call))
      assert.ok(content.length > 0)
      assert.ok(Array.isArray(warnings))
      checkEnd(finishReason, usage)
    }),
    caseOf('a stream opens, fills and closes its parts and ends with one finish', async (model) => {
      const { stream } = await answer(model.doStream(call))
      checkParts(await answer(collected(stream)))
    }),
    caseOf('the call options are not changed', async (model) => {
      const asked = frozen(structuredClone(call))
      await answer(model.doGenerate(asked))
      const { stream } = await answer(model.doStream(asked))
      await answer(collected(stream))
    }),
    caseOf('a call aborted before it begins is not answered', async (model) => {
      const given = { ...call, abortSignal: AbortSignal.abort() }
      await assert.rejects(async () => await answer(model.doGenerate(given)))
    }),
    caseOf('an aborted stream ends', async (model) => {
      const up = new AbortController()
      const { stream } = await answer(model.doStream({ ...call, abortSignal: up.signal }))
      up.abort()
      // The model may throw, send an error part, or already be done.
      await answer(collected(stream).catch(() => []))
    }),
    caseOf('concurrent calls do not affect each other', async (model) => {
      const both = [model.doGenerate(call), model.doGenerate(call)]
      for (const { finishReason, usage } of await answer(Promise.all(both))) {
        checkEnd(finishReason, usage)
      }
    }),
  ]
}

const HELLO: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
}

const REASONS: readonly LanguageModelV4FinishReason['unified'][] = [
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'other',
]

function checkEnd(finish: LanguageModelV4FinishReason, usage: LanguageModelV4Usage): void {
  assert.ok(REASONS.includes(finish.unified), `it ended by ${JSON.stringify(finish)}`)
  for (const count of [usage.inputTokens.total, usage.outputTokens.total]) {
    assert.ok(count === undefined || (Number.isInteger(count) && count >= 0), `tokens: ${count}`)
  }
}

async function collected(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<readonly LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

/** Parts that are open, by kind and id. */
function checkParts(parts: readonly LanguageModelV4StreamPart[]): void {
  const open = new Set<string>()
  for (const part of parts) {
    const [, kind, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === undefined || !('id' in part)) continue
    const name = `${kind} ${part.id}`
    assert.equal(open.has(name), step !== 'start', `${part.type} of ${name} is out of place`)
    if (step === 'start') open.add(name)
    if (step === 'end') open.delete(name)
  }
  assert.deepEqual([...open], [], 'every opened part must be closed')
  const errors = parts.filter(({ type }) => type === 'error')
  assert.deepEqual(errors, [])
  const last = parts.at(-1)
  assert.ok(last?.type === 'finish', `the last part is ${last?.type ?? 'missing'}`)
  assert.equal(parts.filter(({ type }) => type === 'finish').length, 1)
  checkEnd(last.finishReason, last.usage)
}
