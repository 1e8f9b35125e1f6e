import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import { type Agent, AgentBuilder, createAgent } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Schema } from '../../packages/echelon/src/core/schema/schema.ts'
import { caching } from '../../packages/echelon/src/middleware/cache/caching.ts'
import { retry } from '../../packages/echelon/src/middleware/reliability/retry.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import {
  apiError,
  promptText,
  type ScriptedAnswer,
  type ScriptedModel,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { add, agentWith, asksToAdd, eventsOf, isError, model } from './kit.ts'

const ORDER = z.object({ item: z.string(), count: z.number().int().positive() })
const LAMPS = { item: 'lamp', count: 2 }
const GOOD = JSON.stringify(LAMPS)
const BAD = '{"item":"lamp","count":"two"}'

const noOutput = (reason: string, text: string) => (error: unknown) => {
  assert.ok(error instanceof EchelonError)
  assert.equal(error.code, 'NO_OUTPUT')
  assert.deepEqual([error.details['reason'], error.details['text']], [reason, text])
  return true
}

/** The response format that a call requested. */
const formatOf = ({ responseFormat }: LanguageModelV4CallOptions) => responseFormat

describe('a turn with an output schema', () => {
  test('needs one option of the agent, the builder or the run', async () => {
    const models: ScriptedModel[] = []
    const saying = (): ScriptedModel => {
      const made = scriptedModel([GOOD])
      models.push(made)
      return made
    }
    const { output, text } = await createAgent({ model: saying(), output: ORDER }).run('2 lamps')
      .result
    assert.deepEqual(output, LAMPS)
    assert.equal(text, GOOD)
    const built = new AgentBuilder().model(saying()).output(ORDER).build()
    assert.deepEqual((await built.run('2 lamps').result).output, LAMPS)
    const plain = createAgent({ model: saying() })
    assert.deepEqual((await plain.run('2 lamps', { output: ORDER }).result).output, LAMPS)
    for (const { calls } of models) {
      assert.deepEqual(calls.map(formatOf), [
        {
          type: 'json',
          name: 'answer',
          schema: {
            type: 'object',
            properties: {
              item: { type: 'string' },
              count: { type: 'integer', exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
            },
            required: ['item', 'count'],
            additionalProperties: false,
          },
        },
      ])
    }
  })

  test('requests no format if the answer is text', async () => {
    const scripted = scriptedModel(['hello'])
    const { output } = await createAgent({ model: scripted }).run('hi').result
    assert.equal(output, undefined)
    assert.deepEqual(scripted.calls.map(formatOf), [undefined])
  })

  test("returns the schema's parsed value", async () => {
    const dated = z.object({
      at: z.string().transform((text) => new Date(text)),
      n: z.number().default(3),
    })
    const agent = createAgent({
      model: scriptedModel(['{"at":"2026-11-01","n":null}']),
      output: dated,
    })
    const { output } = await agent.run('when?').result
    assert.deepEqual(output, { at: new Date('2026-11-01'), n: 3 })
  })

  test('may call tools first', async () => {
    const agent = createAgent({
      model: model([asksToAdd(1, 1), GOOD]),
      tools: [add],
      output: ORDER,
    })
    const { output, messages } = await agent.run('1 + 1 lamps').result
    assert.deepEqual(output, LAMPS)
    assert.equal(messages.length, 4)
  })

  test('keeps the raw text in its conversation, and a run may request another object', async () => {
    const agent = createAgent({ model: scriptedModel([GOOD, '{"ok":true}', 'bye']) })
    const session = agent.session()
    await agent.run('2 lamps', { session, output: ORDER }).result
    assert.deepEqual(session.messages.at(-1)?.content, [{ type: 'text', text: GOOD }])
    const { output } = await agent.run('ok?', { session, output: z.object({ ok: z.boolean() }) })
      .result
    assert.deepEqual(output, { ok: true })
    assert.equal((await agent.run('bye', { session }).result).text, 'bye')
  })
})

describe('an answer that does not fit', () => {
  test('is repaired once: the model receives the problem by path', async () => {
    const scripted = scriptedModel([BAD, GOOD])
    const agent = createAgent({ model: scripted, output: ORDER })
    const run = agent.run('2 lamps')
    const events = await eventsOf(run)
    const { output, reason } = await run.result
    assert.deepEqual([output, reason], [LAMPS, 'stop'])
    const [, second] = scripted.calls
    assert.match(
      promptText(second ?? { prompt: [] }),
      /does not fit: count: .*number.*\n.*JSON Schema:\n\{/,
    )
    const notes = events.flatMap((event) => (event.type === 'note' ? [event.note] : []))
    assert.deepEqual(notes, [{ stage: 'output-mismatch', data: { repairs: true } }])
  })

  test('rejects after the repair with the raw text, and keeps the conversation', async () => {
    const agent = createAgent({ model: scriptedModel([BAD, 'sorry', 'hello']), output: ORDER })
    const session = agent.session()
    const { result } = agent.run('2 lamps', { session })
    await assert.rejects(result, noOutput('invalid-output', 'sorry'))
    await assert.rejects(
      result,
      /ended \(invalid-output\) without the requested object.*no JSON object/,
    )
    assert.deepEqual(
      session.messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    )
  })

  test('is not repaired beyond the limits of the turn', async () => {
    const once = createAgent({ model: scriptedModel([BAD]), output: ORDER, maxIterations: 1 })
    await assert.rejects(once.run('hi').result, noOutput('invalid-output', BAD))
    const poor = createAgent({ model: scriptedModel([BAD]), output: ORDER, limits: { calls: 1 } })
    await assert.rejects(poor.run('hi').result, noOutput('budget:calls.main', BAD))
  })

  test('rejects with the reason if the turn did not reach its answer', async () => {
    const cut: ScriptedAnswer = { text: '{"item":"la', finishReason: 'length' }
    const agent = createAgent({ model: scriptedModel([cut]), output: ORDER })
    await assert.rejects(agent.run('hi').result, noOutput('length', '{"item":"la'))
    const run = createAgent({ model: scriptedModel([GOOD]), output: ORDER }).run('hi')
    run.cancel()
    await assert.rejects(run.result, noOutput('canceled', ''))
  })

  test('is a value of the outcome, without an object', async () => {
    const run = createAgent({ model: scriptedModel([BAD, BAD]), output: ORDER }).run('hi')
    const { output, reason, text, problem } = await run.outcome
    assert.deepEqual([output, reason, text, problem], [undefined, 'invalid-output', BAD, null])
    await assert.rejects(run.result, noOutput('invalid-output', BAD))
    const good = createAgent({ model: scriptedModel([GOOD]), output: ORDER }).run('hi')
    assert.deepEqual((await good.outcome).output, LAMPS)
  })

  test('does not matter if the model failed', async () => {
    const failing = scriptedModel([{ error: apiError(401) }])
    const { result } = createAgent({ model: failing, output: ORDER }).run('hi')
    await assert.rejects(result, isError('MODEL_FAILED'))
  })

  test('may be repaired again after new user input', async () => {
    const script: readonly ScriptedAnswer[] = [() => (run.hear('three'), BAD), BAD, GOOD]
    const run = createAgent({ model: scriptedModel(script), output: ORDER }).run('2 lamps')
    assert.deepEqual((await run.result).output, LAMPS)
  })
})

describe('middleware', () => {
  const shouting = defineMiddleware({
    name: 'shouting',
    stream: () => ({ text: (delta) => delta.replaceAll('lamp', 'LAMP') }),
  })

  test('changes the text that the object is read from', async () => {
    const agent = createAgent({ model: scriptedModel([GOOD]), output: ORDER, use: [shouting()] })
    const { output, text } = await agent.run('2 lamps').result
    assert.deepEqual(output, { ...LAMPS, item: 'LAMP' })
    assert.match(text, /LAMP/)
  })

  test('around the turn has the last word, and its answer is checked too', async () => {
    const rewriting = (text: string) =>
      defineMiddleware({
        name: 'rewriting',
        turn: async (turn, next) => ({ ...(await next(turn)), text }),
      })()
    const agent = (text: string) =>
      createAgent({ model: scriptedModel([GOOD]), output: ORDER, use: [rewriting(text)] })
    const { output } = await agent('{"item":"hat","count":1}').run('hi').result
    assert.deepEqual(output, { item: 'hat', count: 1 })
    await assert.rejects(agent('hidden').run('hi').result, noOutput('stop', 'hidden'))
  })

  test('that caches answers keeps those of each schema apart', async () => {
    const agent = createAgent({
      model: scriptedModel([GOOD, '{"ok":true}']),
      use: [caching({ ttlMs: 60_000 })],
    })
    const ok = z.object({ ok: z.boolean() })
    assert.deepEqual((await agent.run('hi', { output: ORDER }).result).output, LAMPS)
    assert.deepEqual((await agent.run('hi', { output: ok }).result).output, { ok: true })
    assert.deepEqual((await agent.run('hi', { output: ORDER }).result).output, LAMPS)
  })
})

describe('while the answer streams', () => {
  const partialsOf = async (agent: Agent): Promise<readonly unknown[]> => {
    const events = await eventsOf(agent.run('2 lamps', { output: ORDER }))
    return events.flatMap((event): readonly Json[] => {
      if (event.type === 'text-drop') return ['(drop)']
      return event.type === 'output-partial' ? [event.partial] : []
    })
  }

  test('listeners get the object so far', async () => {
    const text = ['{"it', 'em":"la', 'mp"', ',"count"', ':2', '}']
    assert.deepEqual(await partialsOf(agentWith([{ text }])), [
      {},
      { item: 'la' },
      { item: 'lamp' },
      { item: 'lamp' },
      { item: 'lamp' },
      LAMPS,
    ])
  })

  test('a repair starts a new object', async () => {
    const script = [{ text: [BAD] }, { text: ['{"item":"lamp"', ',"count":2}'] }]
    const seen = await partialsOf(agentWith(script))
    assert.deepEqual(seen, [JSON.parse(BAD), { item: 'lamp' }, LAMPS])
  })

  test('an attempt after a drop starts a new object', async () => {
    const cut: ScriptedAnswer = { error: apiError(503), after: ['{"item":"hat', '", "co'] }
    const again = retry({ retries: 1, baseMs: 1, jitter: 0 })
    const agent = createAgent({ model: model([cut, { text: [GOOD] }]), use: [again] })
    assert.deepEqual(await partialsOf(agent), [{ item: 'hat' }, { item: 'hat' }, '(drop)', LAMPS])
  })

  test('a text transform applies first', async () => {
    const quiet = defineMiddleware({
      name: 'quiet',
      stream: () => ({ text: (delta) => delta.replaceAll('lamp', '[item]') }),
    })
    const agent = createAgent({ model: model([{ text: [GOOD] }]), use: [quiet()] })
    assert.deepEqual(await partialsOf(agent), [{ item: '[item]', count: 2 }])
  })

  test('nothing partial is shown if the answer is text', async () => {
    const events = await eventsOf(agentWith([{ text: ['{"a":', '1}'] }]).run('hi'))
    assert.ok(!events.some(({ type }) => type === 'output-partial'))
  })
})

describe('an interrupted run', () => {
  test('ends with the same object from any point of its journal', async () => {
    const journal = new MemoryJournal()
    const script = [asksToAdd(1, 1), BAD, GOOD]
    const agent = (from: number, kept: MemoryJournal) =>
      createAgent({
        model: model(script.slice(from)),
        tools: [add],
        output: ORDER,
        journal: kept,
      })
    assert.deepEqual((await agent(0, journal).run('hi', { runId: 'r' }).result).output, LAMPS)
    const entries = journal.read('r')
    for (let length = 1; length <= entries.length; length++) {
      const kept = new MemoryJournal()
      kept.append('r', copied(entries.slice(0, length)))
      const answered = entries.slice(0, length).filter(isAnswer).length
      const run = await agent(answered, kept).resume('r')
      assert.deepEqual((await run.result).output, LAMPS, `after ${length} entries`)
    }
  })

  test('that has ended returns its object again, cut after any of its entries', async () => {
    const file = new URL('../golden/structured-output.jsonl', import.meta.url)
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const entries = lines.map((line): Entry => JSON.parse(line))
    for (let length = 1; length <= entries.length; length++) {
      const kept = new MemoryJournal()
      kept.append('golden', entries.slice(0, length))
      const answered = entries.slice(0, length).filter(isAnswer).length
      const script = [asksToAdd(1, 1), BAD, GOOD].slice(answered)
      const agent = createAgent({
        model: model(script),
        tools: [add],
        output: ORDER,
        journal: kept,
      })
      const { output } = await (await agent.resume('golden')).result
      assert.deepEqual(output, LAMPS, `after ${length} entries`)
      assert.equal(kept.read('golden').at(-1)?.type, 'ended')
    }
  })

  test('needs its original output schema', async () => {
    const journal = new MemoryJournal()
    const agent = createAgent({ model: model([BAD, GOOD]), journal })
    await agent.run('hi', { runId: 'r', output: ORDER }).result
    const begun = new MemoryJournal()
    begun.append('r', copied(journal.read('r').slice(0, 3)))
    const again = createAgent({ model: model([GOOD]), journal: begun })
    const unknowing = again.resume('r').then(({ result }) => result)
    await assert.rejects(unknowing, isError('JOURNAL_MISMATCH'))
    const { output } = await (await again.resume('r', { output: ORDER })).result
    assert.deepEqual(output, LAMPS)
  })

  test('may be forked before the repair', async () => {
    const agent = createAgent({
      model: model([BAD, GOOD, '{"item":"hat","count":1}']),
      output: ORDER,
      journal: new MemoryJournal(),
    })
    await agent.run('hi', { runId: 'r' }).result
    const fork = await agent.fork('r', { at: 1, as: 'f' })
    assert.deepEqual((await fork.result).output, { item: 'hat', count: 1 })
  })
})

const isAnswer = (entry: Entry): boolean =>
  entry.type === 'closed' && entry.seen.type === 'generated'

/** As a file would hold them. */
const copied = (entries: readonly Entry[]): readonly Entry[] => JSON.parse(JSON.stringify(entries))

describe('a sub-agent with an output schema', () => {
  const callsIt: ScriptedAnswer = { toolCalls: [{ tool: 'order', input: { task: '2 lamps' } }] }
  const caller = (script: readonly ScriptedAnswer[], output: Schema<unknown> = ORDER) => {
    const scripted = scriptedModel([callsIt, 'done'])
    const inner = createAgent({ model: scriptedModel(script), output })
    const tool = inner.asTool({ name: 'order', description: 'reads an order' })
    return { scripted, run: createAgent({ model: scripted, tools: [tool] }).run('go') }
  }
  const resultIn = async ({ scripted, run }: ReturnType<typeof caller>): Promise<unknown> => {
    await run.result
    const message = scripted.calls[1]?.prompt.find(({ role }) => role === 'tool')
    const [part] = message?.role === 'tool' ? message.content : []
    return part?.type === 'tool-result' ? part.output : undefined
  }

  test('gives its caller the object', async () => {
    assert.deepEqual(await resultIn(caller([BAD, GOOD])), { type: 'json', value: LAMPS })
  })

  test("gives the JSON form of the schema's parsed value", async () => {
    const dated = z.object({ at: z.string().transform((text) => new Date(text)) })
    const value = { at: '2026-11-01T00:00:00.000Z' }
    assert.deepEqual(await resultIn(caller(['{"at":"2026-11-01"}'], dated)), {
      type: 'json',
      value,
    })
  })

  test('reports to its caller what does not fit', async () => {
    const output = await resultIn(caller([BAD, BAD]))
    assert.match(JSON.stringify(output), /error-text.*it ended with invalid-output: count: /)
  })
})

describe('a mistake of an untyped program', () => {
  test('is reported when the agent is built or the run started', () => {
    for (const output of [z.string(), {}, 'text', { type: 'object' }]) {
      const options: object = { output }
      const message = /^output is /
      assert.throws(() => createAgent(options), isError('INVALID_DEFINITION', message))
      assert.throws(
        () => createAgent({}).run('hi', options),
        isError('INVALID_DEFINITION', message),
      )
    }
  })
})
