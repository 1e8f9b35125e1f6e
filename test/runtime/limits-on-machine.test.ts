import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { AgentSettings } from '../../packages/echelon/src/agents/chat/agent-options.ts'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { eventsOf } from '../chat/kit.ts'
import { IS_WHOLE } from '../share.ts'

const silent: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'silent',
  modelId: 'model',
  supportedUrls: {},
  doGenerate: () => new Promise(() => undefined),
  doStream: () => new Promise(() => undefined),
}

const silentAgent = (settings: AgentSettings = {}): Agent<object> =>
  createAgent({
    model: { id: 'silent/model', model: silent, price: () => 0 },
    errorHandling: { retries: 0 },
    ...settings,
  })

/** A model that answers at once. */
function quickAgent(): Agent<object> {
  const model = { ...silent, doGenerate: async () => ANSWER }
  return createAgent({ model: { id: 'quick/model', model, price: () => 0 } })
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('aborts a silent model at its limit, streamed or not', async () => {
  for (const settings of [{ timeoutMs: 50 }, { modelTimeouts: { answerMs: 50 } }]) {
    for (const streams of [false, true]) {
      const began = performance.now()
      const run = silentAgent(settings).run('hi')
      const watched = streams ? eventsOf(run) : undefined
      assert.equal((await run.outcome).reason, 'timeout')
      await watched
      const took = performance.now() - began
      assert.ok(took >= 49 && took < 1000, String(took))
    }
  }
})

test('aborts a silent model while others keep answering', async () => {
  const agent = quickAgent()
  const began = performance.now()
  const end: { reason?: string } = {}
  const { outcome } = silentAgent({ modelTimeouts: { answerMs: 50 } }).run('hi')
  void outcome.then(({ reason }) => (end.reason = reason))
  while (end.reason === undefined && performance.now() - began < 5000) {
    for (let call = 0; call < 10; call++) await agent.run('hi').result
    await turn()
  }
  assert.equal(end.reason, 'timeout')
})

/** Of 1,000 calls. */
const ROUNDS = IS_WHOLE ? 100 : 20

test('leaves no timer behind after thousands of calls, finished or canceled', async () => {
  await turn()
  const before = timers()
  const agent = quickAgent()
  const hanging = silentAgent()
  for (let round = 0; round < ROUNDS; round++) {
    for (let call = 0; call < 900; call++) await agent.run('hi').result
    const runs = Array.from({ length: 100 }, () => hanging.run('hi'))
    // In half of the rounds their timers exist by the time of the cancel.
    if (round % 2 === 0) await turn()
    for (const run of runs) run.cancel()
    await Promise.all(runs.map(({ outcome }) => outcome))
  }
  await turn()
  assert.equal(timers(), before)
})

test('keeps the process alive only while a call is pending', async () => {
  assert.equal(
    await printedBy('await agent.run("hi").outcome.then((end) => end.reason)'),
    'timeout',
  )
  const began = performance.now()
  const canceled = `await (() => {
    const run = agent.run('hi', { modelTimeouts: { answerMs: 300_000 } })
    setTimeout(() => run.cancel(), 5)
    return run.outcome.then((end) => end.reason)
  })()`
  assert.equal(await printedBy(canceled), 'canceled')
  const took = performance.now() - began
  assert.ok(took < 60_000, `the process ended only after ${took} ms`)
})

/** The output of a program that only calls a silent model. */
async function printedBy(expression: string): Promise<string> {
  const program = `
    import { createAgent } from ${JSON.stringify(new URL('../../packages/echelon/src/chat.ts', import.meta.url).href)}
    const forever = () => new Promise(() => undefined)
    const model = { specificationVersion: 'v4', provider: 'silent', modelId: 'model',
      supportedUrls: {}, doGenerate: forever, doStream: forever }
    const agent = createAgent({ model: { id: 'silent/model', model, price: () => 0 },
      modelTimeouts: { answerMs: 100 } })
    console.log(${expression})`
  const args = ['--conditions=echelon-source', '--input-type=module', '--eval', program]
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, timeout: 100_000 })
  return stdout.trim()
}

const ANSWER: Awaited<ReturnType<LanguageModelV4['doGenerate']>> = {
  content: [{ type: 'text', text: 'hello' }],
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  },
  warnings: [],
}
