import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { z } from 'zod'
import { type ChatLimits, createAgent } from '../../packages/echelon/src/chat.ts'
import type { Agent } from '../../packages/echelon/src/agents/chat/chat-agent.ts'
import type { ChatRun } from '../../packages/echelon/src/agents/chat/chat-run.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import { EchelonError } from '../../packages/echelon/src/core/value/error.ts'
import type { Entry, Journal } from '../../packages/echelon/src/core/journal/journal.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { BoundModel } from '../../packages/echelon/src/core/model/model.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import {
  asBound,
  type ScriptedReply,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'

/** A journal whose process dies at one of its appends; written entries stay. */
class DyingJournal implements Journal {
  readonly #kept: Entry[]
  #left: number
  appends = 0
  constructor(kept: Entry[], left: number) {
    this.#kept = kept
    this.#left = left
  }
  append(_runId: string, entries: readonly Entry[]): void {
    if (this.#left-- <= 0) throw new Error('the process is gone')
    this.appends++
    // As a file would hold them.
    this.#kept.push(...entries.map((entry): Entry => JSON.parse(JSON.stringify(entry))))
  }
  read(): readonly Entry[] {
    return this.#kept
  }
}

/** The real effects, by the key that a tool was given. */
class World {
  readonly acts = new Map<string, string>()
  readonly doubles: string[] = []

  tool(name: string, needsApproval: boolean): Tool<{ what: string }> {
    return defineTool({
      name,
      description: 'acts',
      does: 'acts',
      needsApproval,
      input: z.object({ what: z.string() }),
      run: ({ what }, { key }) => {
        if (this.acts.has(key)) this.doubles.push(key)
        this.acts.set(key, `${name} ${what}`)
        return 'done'
      },
      reconcile: async (key): Promise<{ type: 'ok'; value: Json } | 'not-done'> =>
        this.acts.has(key) ? { type: 'ok', value: 'done' } : 'not-done',
    })
  }
}

/** Depends only on its prompt, so that it answers the same in every process. */
const repeating = (answer: (results: number) => ScriptedReply | string): BoundModel =>
  asBound(
    scriptedModel(
      Array.from({ length: 40 }, () => ({ prompt }: LanguageModelV4CallOptions) => {
        return answer(prompt.filter(({ role }) => role === 'tool').length)
      }),
    ),
    'p/m',
  )

const counting = defineMiddleware({
  name: 'counting',
  state: {
    version: 1,
    schema: z.object({ calls: z.number() }),
    initial: { calls: 0 },
    scope: 'session',
  },
  tool: (call, next, { update }) => {
    update(({ calls }) => ({ calls: calls + 1 }))
    return next(call)
  },
})

const call = (tool: string, input: Json): { tool: string; input: Json } => ({ tool, input })

function agentIn(world: World, journal: Journal, limits: ChatLimits = {}): Agent<object> {
  const expert = createAgent({
    name: 'expert',
    model: repeating((results) =>
      results === 0 ? { toolCalls: [call('pay', { what: 'rent' })] } : 'paid',
    ),
    tools: [world.tool('pay', true)],
    use: [counting()],
  })
  return createAgent({
    model: repeating((results) =>
      results === 0
        ? {
            toolCalls: [
              call('note', { what: 'begun' }),
              call('ask_expert', { task: 'pay the rent' }),
              call('sign', { what: 'lease' }),
            ],
          }
        : 'all is done',
    ),
    tools: [
      world.tool('note', false),
      expert.asTool({ name: 'ask_expert', description: 'pays' }),
      world.tool('sign', true),
    ],
    use: [counting()],
    limits,
    journal,
  })
}

async function approveAll(run: ChatRun): Promise<string> {
  for await (const event of run) {
    if (event.type === 'request-open') run.respond(event.request, 'once')
  }
  return (await run.result).text
}

const DONE = ['note begun', 'pay rent', 'sign lease']

test('[C-31] [C-13] a turn that dies at any append ends the same, and nothing happens twice', async () => {
  const whole: Entry[] = []
  const journal = new DyingJournal(whole, Infinity)
  const world = new World()
  assert.equal(await approveAll(agentIn(world, journal).run('go', { runId: 'r' })), 'all is done')
  assert.deepEqual(
    [...world.acts.values()].toSorted((a, b) => (a < b ? -1 : 1)),
    DONE,
  )
  assert.ok(journal.appends > 10, `${journal.appends} appends`)
  for (let death = 1; death < journal.appends; death++) {
    const kept: Entry[] = []
    const survived = new World()
    const dying = agentIn(survived, new DyingJournal(kept, death)).run('go', { runId: 'r' })
    await assert.rejects(
      approveAll(dying),
      (error) => error instanceof EchelonError && error.code === 'JOURNAL_FAILED',
    )
    const again = await agentIn(survived, new DyingJournal(kept, Infinity)).resume('r')
    assert.equal(await approveAll(again), 'all is done', `after ${death} appends`)
    const acts = [...survived.acts.values()].toSorted((a, b) => (a < b ? -1 : 1))
    assert.deepEqual([acts, survived.doubles], [DONE, []], `after ${death} appends`)
  }
})

test('[C-31] a call counted by a child run is not counted again on resume', async () => {
  const limits = { tools: 4 }
  for (let death = 1; death < 40; death++) {
    const kept: Entry[] = []
    const world = new World()
    const dying = agentIn(world, new DyingJournal(kept, death), limits).run('go', { runId: 'r' })
    const isOver = await approveAll(dying).then(
      () => true,
      () => false,
    )
    const again = await agentIn(world, new DyingJournal(kept, Infinity), limits).resume('r')
    assert.equal(await approveAll(again), 'all is done', `after ${death} appends`)
    assert.equal(again.spent['tools'], 4, `after ${death} appends`)
    assert.equal(world.acts.size, 3, `after ${death} appends`)
    if (isOver) return
  }
  assert.fail('it never came to its end')
})
