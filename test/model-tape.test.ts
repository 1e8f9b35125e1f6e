import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { APICallError } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { Decider } from '../packages/echelon/src/agents/decide/decider.ts'
import {
  completeSettings,
  type PartialSettings,
} from '../packages/echelon/src/agents/decide/settings/settings.ts'
import { EchelonError } from '../packages/echelon/src/core/value/error.ts'
import type { RunEvent } from '../packages/echelon/src/core/agent/event.ts'
import { systemClock } from '../packages/echelon/src/platform/clock.ts'
import {
  createRegistry,
  type Registry,
  standardProviders,
} from '../packages/echelon/src/providers/registry.ts'
import { fromJson, toJson } from '../packages/echelon/src/providers/tape/json-form.ts'
import { recordingRegistry } from '../packages/echelon/src/providers/tape/recording-registry.ts'
import { startModelRecording } from '../packages/echelon/src/providers/tape/recording.ts'
import { replayingRegistry } from '../packages/echelon/src/providers/tape/replaying-registry.ts'
import { readModelTape } from '../packages/echelon/src/providers/tape/tape.ts'
import {
  isRefusal,
  isRejection,
  toProblem,
} from '../packages/echelon/src/runtime/model/provider-problem.ts'
import { startRun } from '../packages/echelon/src/runtime/run.ts'
import {
  type ServerAnswer,
  startModelServer,
} from '../packages/echelon/src/testing/local-model-server.ts'
import { calc, DECLINED, MATH_TASK, artifacts, planOf, TOOLS } from './decide/fixtures.ts'
import { VERIFIERS } from './decide/verifiers.ts'
import { generate, performing, world } from './runtime/kit.ts'

/** Waits that are short enough for a test. */
const QUICK = { retries: 2, baseMs: 5, factor: 2, jitter: 0.2 }
const [SMALL, BIG] = ['openai-compatible/small', 'openai-compatible/big']

/**
 * Runs the same twice: with models of a real client, recorded while a server answers from a script, and
 * with those of the recording, without the server.
 */
async function twice<Result>(
  t: TestContext,
  script: readonly ServerAnswer[],
  work: (registry: Registry) => Promise<Result>,
): Promise<{ readonly recorded: Result; readonly replayed: Result; readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-tape-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'calls.jsonl')
  await using server = await startModelServer(script)
  const price = { inputPerMillion: 0.07, outputPerMillion: 0.3 }
  const settings = { 'openai-compatible': { baseUrl: server.baseUrl, price } }
  const recording = startModelRecording(path)
  const recorder = recordingRegistry(createRegistry(standardProviders), recording)
  const recorded = await work({ ...recorder, resolve: (name) => recorder.resolve(name, settings) })
  assert.equal(recording.close(), undefined)
  server.assertComplete()
  await server.close()
  const tape = await readModelTape(path)
  const replayed = await work(replayingRegistry(tape))
  assert.deepEqual(tape.unused(), [])
  return { recorded, replayed, path }
}

function deciderOn(registry: Registry, settings: PartialSettings = {}): Decider {
  const models = { small_model: SMALL, big_model: BIG }
  return new Decider({
    settings: completeSettings({ ...settings, models }),
    tools: TOOLS,
    verifiers: VERIFIERS,
    resolveModel: (name) => registry.resolve(name),
    services: {
      artifacts,
      clock: systemClock,
      ids: { next: () => 'id' },
      timeZone: 'UTC',
      retry: QUICK,
    },
  })
}

const reply = (text: string, usage = { input: 123, output: 45 }): ServerAnswer => ({
  type: 'reply',
  text: [text],
  usage,
})
const WRONG = reply(planOf(calc('15 + 23')))
const RIGHT = reply(planOf(calc('15 * 23')), { input: 171, output: 13 })
const DOWN: ServerAnswer = { type: 'status', status: 503 }
const SLOW_DOWN: ServerAnswer = {
  type: 'status',
  status: 429,
  headers: { 'retry-after-ms': '3' },
}

suite('[C-34, DD-25] a case on recorded models', () => {
  test('has the same trace byte for byte, including failures, retries and promotion', async (t) => {
    const script = [DOWN, WRONG, SLOW_DOWN, reply('no plan'), reply(DECLINED), RIGHT]
    const { recorded, replayed } = await twice(t, script, async (registry) => {
      const events: RunEvent[] = []
      const result = await deciderOn(registry).runCaseDeterministic(MATH_TASK, 42, {
        onEvent: (event) => events.push(event),
      })
      assert.deepEqual([result.verified, result.counters.llm_calls_big], [true, 1])
      return [result, ...events].map((line) => JSON.stringify(line)).join('\n')
    })
    assert.equal(replayed, recorded)
    assert.ok(recorded.includes('"type":"retry-wait"') && recorded.includes('status 503'))
  })

  test('costs the same, under the same money limit', async (t) => {
    const settings = { budget: { max_cost_usd: 0.00037, max_tokens: 9000 } }
    const { recorded, replayed, path } = await twice(t, [WRONG, RIGHT], async (registry) => {
      return await deciderOn(registry, settings).runCaseDeterministic(MATH_TASK)
    })
    assert.deepEqual(replayed, recorded)
    assert.ok(recorded.verified)
    assert.match(JSON.stringify(recorded), /"cost[^}]*:0\.0000/)
    const clamped = readFileSync(path, 'utf8').match(/"maxOutputTokens":\d+/g) ?? []
    assert.ok(new Set(clamped).size > 1, `the limit clamps no answer: ${clamped.join()}`)
  })

  test('is the same with the real clock too, apart from times', async (t) => {
    const { recorded, replayed } = await twice(t, [DOWN, RIGHT], async (registry) => {
      const result = await deciderOn(registry).runCase(MATH_TASK, { today: '2025-09-08' })
      return JSON.stringify(result).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, '')
    })
    assert.equal(replayed, recorded)
  })

  test('ends with an error at a request that was not recorded, and promotes nothing', async (t) => {
    const heard: string[] = []
    await twice(t, [RIGHT], async (registry) => {
      const decider = deciderOn(registry)
      await decider.runCaseDeterministic(MATH_TASK, 42)
      if (heard.push('ran') === 1) return
      const onEvent = (event: RunEvent): void => void heard.push(event.type)
      await assert.rejects(decider.runCaseDeterministic(MATH_TASK, 43, { onEvent }), (error) => {
        assert.ok(error instanceof EchelonError && error.code === 'UNRECORDED_CALL')
        assert.match(error.message, /call 1, which differs in\n {2}seed\n.* 42\n.* 43$/)
        return true
      })
    })
    assert.deepEqual(heard, ['ran', 'ran', 'run-start', 'step-start'])
  })
})

suite('[C-34] a streaming run on recorded models', () => {
  const CASES: Readonly<Record<string, readonly ServerAnswer[]>> = {
    'is heard piece by piece': [{ type: 'reply', text: ['3', '4', '5'] }],
    'breaks off and begins afresh': [{ type: 'reset', after: [] }, reply('345')],
    'breaks off after visible text': [{ type: 'reset', after: ['3', '9'] }],
    'is told of an error': [{ type: 'error', after: [] }, reply('345')],
    'is told of an error after visible text': [{ type: 'error', after: ['39'] }],
    'ends too early': [{ type: 'end', after: ['39'] }],
    'is not JSON': [{ type: 'malformed', after: ['39'] }],
    'is given up in its time': [{ type: 'silence' }, { type: 'silence', after: ['3'] }],
    'is refused': [{ type: 'status', status: 401, code: 'invalid_api_key', message: 'no' }],
  }
  for (const [what, script] of Object.entries(CASES)) {
    test(`${what}, with the same events`, async (t) => {
      const { recorded, replayed } = await twice(t, script, async (registry) => {
        const small = await registry.resolve(SMALL)
        const { services, events } = world({ models: { small }, retry: QUICK })
        const asked = performing([generate({ show: 'user', timeoutMs: 150 })])
        const run = startRun(asked, null, { ...services, clock: systemClock })
        const { result } = await run.result
        assert.ok(events.length > 3)
        return { result, events: events.filter(({ type }) => type !== 'run-end') }
      })
      assert.deepEqual(withoutLimit(replayed), withoutLimit(recorded))
    })
  }
})

/** A replayed call is not timed, so its message cannot name the limit that ended the recorded one. */
const withoutLimit = (told: unknown): unknown =>
  JSON.parse(JSON.stringify(told).replaceAll(/ (?:in time|within its limit of [\d.]+ s)/g, ''))

test('[C-34] any error leads to the same decisions after it is read back', () => {
  const code = fc.constantFrom(undefined, 'insufficient_quota', 'server_error', 'x', 7)
  const said = fc.record({ code, type: code, message: fc.string() })
  const wait = fc.constantFrom(undefined, '3', '-1', 'soon')
  const errors = fc.oneof(
    fc
      .record({
        message: fc.string(),
        statusCode: fc.constantFrom(undefined, 200, 400, 401, 404, 408, 418, 429, 500, 503),
        isRetryable: fc.boolean(),
        data: fc.oneof(fc.constant(undefined), said, fc.record({ error: said })),
        responseHeaders: fc.record({ 'retry-after': wait, 'retry-after-ms': wait }),
        cause: fc.constantFrom(undefined, Object.assign(new Error('x'), { code: 'ECONNRESET' })),
      })
      .map((fields) => errorOf(fields)),
    fc.constantFrom('AbortError', 'TimeoutError').map((name) => new DOMException('late', name)),
    said.map((fields) => Object.assign(new Error('e'), fields)),
    said,
    fc.record({ error: said }),
    fc.string(),
  )
  fc.assert(
    fc.property(errors, (error) => {
      const again = fromJson(toJson(error))
      assert.deepEqual(toProblem(again, 2), toProblem(error, 2))
      assert.deepEqual(
        [isRejection(again), isRefusal(again)],
        [isRejection(error), isRefusal(error)],
      )
    }),
    { numRuns: 1000 },
  )
})

/** An error of the SDK's class, without its empty fields. */
function errorOf(fields: Readonly<Record<string, unknown>>): unknown {
  const error = new APICallError({ message: '', url: 'http://x.invalid', requestBodyValues: {} })
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.assign(error, Object.fromEntries(given))
}
