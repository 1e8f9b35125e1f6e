import assert from 'node:assert/strict'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import type { AgentSettings } from '../../packages/echelon/src/agents/chat/agent-options.ts'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { ChatRun } from '../../packages/echelon/src/agents/chat/chat-run.ts'
import { asBound, scriptedModel, SetClock } from 'echelon/testing'
import { eventsOf, isError } from '../chat/kit.ts'

const USAGE = {
  inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined },
}
const text = (delta: string): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 't', delta })
const FINISH: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: undefined },
  usage: USAGE,
}
const START: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] }
const FOREVER = 1e9

/** A model that waits this long before each part. */
function slowly(clock: SetClock, parts: readonly (readonly [number, LanguageModelV4StreamPart])[]) {
  const after = (ms: number): Promise<void> =>
    new Promise((resolve) => void clock.after(ms, resolve))
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'slow',
    modelId: 'model',
    supportedUrls: {},
    doGenerate: () => new Promise(() => undefined),
    doStream: async () => ({
      stream: ReadableStream.from(
        (async function* () {
          for (const [ms, part] of parts) {
            if (ms > 0) await after(ms)
            yield part
          }
        })(),
      ),
    }),
  }
  return { id: 'slow/model', model, price: () => 0 }
}

interface Trial {
  readonly clock: SetClock
  readonly agent: Agent<object>
}

function trial(
  parts: readonly (readonly [number, LanguageModelV4StreamPart])[],
  settings: AgentSettings = {},
): Trial {
  const clock = new SetClock(0)
  return { clock, agent: createAgent({ model: slowly(clock, parts), clock, ...settings }) }
}

/** How a run ended, and after how many seconds. */
async function ending({ clock }: Trial, run: ChatRun, streams: boolean) {
  const watched = streams ? eventsOf(run) : undefined
  const { reason, detail } = await clock.runUntil(run.outcome)
  await watched
  return { reason, detail: detail ?? '', seconds: clock.now() / 1000 }
}

describe('a model that is silent', () => {
  test('fails after five minutes by default, without a retry', async () => {
    for (const streams of [false, true]) {
      const silent = trial([
        [0, START],
        [FOREVER, FINISH],
      ])
      const run = silent.agent.run('hi')
      const { reason, detail, seconds } = await ending(silent, run, streams)
      assert.deepEqual([reason, seconds], ['timeout', 300])
      assert.match(detail, /^slow\/model sent nothing for 300 s, .*modelTimeouts\.answerMs$/)
      assert.equal(run.spent['calls.main'], 1)
    }
  })

  test('rejects the result with what to do', async () => {
    const silent = trial([[FOREVER, FINISH]])
    const { result } = silent.agent.run('hi')
    await assert.rejects(
      silent.clock.runUntil(result),
      isError('MODEL_FAILED', /no answer in time .*modelTimeouts\.answerMs.*allow more time/),
    )
  })

  test('fails after the time set by the agent or the run', async () => {
    const quick = trial([[FOREVER, FINISH]], { modelTimeouts: { answerMs: 10_000 } })
    assert.equal((await ending(quick, quick.agent.run('hi'), true)).seconds, 10)
    const own = { modelTimeouts: { answerMs: 5000 } }
    assert.equal((await ending(quick, quick.agent.run('hi', own), false)).seconds, 15)
  })

  test('has no timeout if it is Infinity, but keeps that of the call', async () => {
    const endless = { modelTimeouts: { answerMs: Infinity, pauseMs: Infinity } }
    const patient = trial(
      [
        [1e6, text('hi')],
        [1e6, FINISH],
      ],
      endless,
    )
    assert.equal((await ending(patient, patient.agent.run('hi'), true)).reason, 'stop')
    const once = { errorHandling: { retries: 0 } }
    const whole = trial([[FOREVER, FINISH]], { timeoutMs: 600_000, ...once })
    const { seconds, detail } = await ending(whole, whole.agent.run('hi'), false)
    assert.equal(seconds, 600)
    assert.match(detail, /did not answer within its limit of 600 s/)
  })

  test('rejects an invalid timeout', () => {
    assert.throws(() => trial([], { modelTimeouts: { pauseMs: 0 } }), /modelTimeouts\.pauseMs is 0/)
    const { agent } = trial([])
    const wrong = { modelTimeouts: { answerMs: Number.NaN } }
    assert.throws(() => agent.run('hi', wrong), isError('INVALID_CONFIG', /answerMs is NaN/))
  })
})

describe('a stream', () => {
  test('may take any time while parts keep arriving', async () => {
    const parts = Array.from({ length: 20 }, () => [100_000, text('x')] as const)
    const long = trial([...parts, [100_000, FINISH]])
    const { reason, seconds } = await ending(long, long.agent.run('hi'), true)
    assert.deepEqual([reason, seconds], ['stop', 2100])
  })

  test('fails after too long a pause, and its text is discarded', async () => {
    const stalled = trial([
      [1000, text('it ')],
      [1000, text('is')],
      [FOREVER, FINISH],
    ])
    const run = stalled.agent.run('hi')
    const events = eventsOf(run)
    const { reason, detail } = await stalled.clock.runUntil(run.outcome)
    assert.equal(reason, 'timeout')
    assert.match(detail ?? '', /paused for more than 120 s .*modelTimeouts\.pauseMs$/)
    const pause = stalled.clock.now() - 2000
    assert.ok(pause >= 120_000 && pause <= 150_000, String(pause))
    const seen = (await events).flatMap((event) => (event.type === 'step-end' ? [event.seen] : []))
    assert.ok(seen[0]?.type === 'failed' && seen[0].error.code === 'timeout')
    assert.ok((await events).some(({ type }) => type === 'text-drop'))
  })

  test('counts reasoning and calls as parts too', async () => {
    const thoughts = trial([
      [200_000, { type: 'reasoning-start', id: 'r' }],
      [100_000, { type: 'reasoning-delta', id: 'r', delta: 'hm' }],
      [100_000, { type: 'tool-input-start', id: 'c', toolName: 'x' }],
      [100_000, text('so')],
      [100_000, FINISH],
    ])
    assert.equal((await ending(thoughts, thoughts.agent.run('hi'), true)).reason, 'stop')
  })

  test('leaves no timer behind', async () => {
    const clock = new SetClock(0)
    const agent = createAgent({ model: asBound(scriptedModel(['hello', 'hello'])), clock })
    await eventsOf(agent.run('hi'))
    await agent.run('hi').result
    assert.equal(clock.pending, 0)
  })
})
