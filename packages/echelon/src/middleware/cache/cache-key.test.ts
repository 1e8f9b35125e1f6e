import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import type { JsonObject } from '../../core/value/json.ts'
import type { ModelCall } from '../../core/extension/middleware.ts'
import { systemMessage, Thread, userMessage } from '../../core/message/thread.ts'
import { defineTool, type Tool } from '../../core/tool/tool.ts'
import { modelCall } from '../../testing/middleware-run.ts'
import { cacheKey } from './cache-key.ts'

const toolOf = (description: string, input = z.object({ a: z.number() })): Tool =>
  defineTool({ name: 'add', description, input, run: () => null })

/** Everything that a key depends on, each part in a few variants. */
const PARTS = {
  caller: fc.constantFrom(undefined, 'ann', 'bob'),
  tool: fc.constantFrom('adds', 'adds two'),
  version: fc.constantFrom('', '2'),
  modelId: fc.constantFrom('a/one', 'a/two', 'b/one'),
  role: fc.constantFrom('small', 'big'),
  sampling: fc.constantFrom(undefined, { temperature: 0 }, { temperature: 1 }, { seed: 1 }),
  maxTokens: fc.constantFrom(undefined, 10, 20),
  schema: fc.constantFrom(undefined, { type: 'object' }, { type: 'array' }),
  tools: fc.constantFrom<readonly string[] | undefined>(
    undefined,
    ['add'],
    ['add', 'read'],
    ['read', 'add'],
  ),
  continues: fc.constantFrom(undefined, { model: 'a/one', id: '1', from: 1 }),
  head: fc.constantFrom([], ['be short'], ['be long'], ['be', 'short']),
  said: fc.constantFrom(['hi'], ['ho'], ['hi', 'ho']),
  tail: fc.constantFrom([], ['now']),
}

type Parts = {
  [Name in keyof typeof PARTS]: (typeof PARTS)[Name] extends fc.Arbitrary<infer Value>
    ? Value
    : never
}

const isPart = (name: string): name is keyof Parts => name in PARTS

function keyOf({ caller, tool, version, head, said, tail, ...options }: Parts): string {
  const prompt = {
    head: head.map(systemMessage),
    thread: Thread.of(said.map(userMessage)),
    tail: tail.map(userMessage),
  }
  const testedRun = { caller, tool: (name: string) => (name === 'add' ? toolOf(tool) : undefined) }
  const { sampling, maxTokens, schema, tools, continues, ...rest } = options
  const call: ModelCall = modelCall({
    ...rest,
    prompt,
    ...(sampling && { sampling }),
    ...(maxTokens && { maxTokens }),
    ...(schema && { schema }),
    ...(tools && { tools }),
    ...(continues && { continues }),
  })
  const key = cacheKey(call, testedRun, version)
  assert.ok(key !== undefined)
  return key
}

test('[C-25] two calls share a key exactly if everything that an answer depends on is the same', () => {
  const parts = fc.record(PARTS)
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      // The model does not see a tool that is not offered.
      const read = (of: Parts) => ({ ...of, tool: of.tools?.includes('add') ? of.tool : '' })
      const isSame = JSON.stringify(read(one)) === JSON.stringify(read(other))
      assert.equal(keyOf(one) === keyOf(other), isSame)
    }),
    { numRuns: 300 },
  )
  for (const name of Object.keys(PARTS).filter(isPart)) {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const changed = { ...one, tools: ['add'], [name]: other[name] }
        const before = { ...one, tools: name === 'tools' ? one.tools : ['add'] }
        const isSame = JSON.stringify(before[name]) === JSON.stringify(changed[name])
        assert.equal(keyOf(before) === keyOf(changed), isSame, name)
      }),
      { numRuns: 30 },
    )
  }
})

const testedRun = { caller: 'ann', tool: () => undefined }

test('[C-25] settings that do not change the answer do not change the key', () => {
  const key = cacheKey(modelCall(), testedRun, '')
  const same = modelCall({
    show: 'user',
    timeoutMs: 5,
    onText: () => undefined,
    signal: new AbortController().signal,
    model: 'test/model',
  })
  assert.equal(cacheKey(same, testedRun, ''), key)
  const ordered = modelCall({ sampling: { topP: 1, temperature: 0 } })
  const turned = modelCall({ sampling: { temperature: 0, topP: 1 } })
  assert.equal(cacheKey(ordered, testedRun, ''), cacheKey(turned, testedRun, ''))
})

test('[C-25] the key depends on the called model, not on the one that the role is bound to', () => {
  const key = cacheKey(modelCall({ model: 'b/two' }), testedRun, '')
  assert.equal(key, cacheKey(modelCall({ modelId: 'b/two' }), testedRun, ''))
  assert.notEqual(key, cacheKey(modelCall(), testedRun, ''))
})

test('a call that JSON cannot hold has no key', () => {
  const endless: Record<string, JsonObject> = {}
  endless['self'] = endless
  assert.equal(cacheKey(modelCall({ schema: endless }), testedRun, ''), undefined)
})
