import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createAgent, defineTool, isApproval, type Tool } from '../../packages/echelon/src/chat.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import { openStore } from '@echelon/store'
import {
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { KeptJournal } from '../runtime/kept-journal.ts'
import { type Came, CHANGES } from './approval-lives.ts'
import { tried } from './tried.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-approvals-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Another process on the same store. */
function inProcess(what: 'ask' | 'resume'): string {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env
  const file = fileURLToPath(new URL('approval-lives.ts', import.meta.url))
  return execFileSync(process.execPath, ['--conditions=echelon-source', file, folder, what], {
    env,
    encoding: 'utf8',
  })
}

/** The results of runs started by one process, answered, and resumed by another process. */
async function twoLives(reply: (hash: string) => Json): Promise<readonly Came[]> {
  rmSync(join(folder, 'echelon.db'), { force: true })
  inProcess('ask')
  const store = await openStore(join(folder, 'echelon.db'))
  for (const run of CHANGES) {
    const asked = (await store.runs.read(run)).find(({ type }) => type === 'requested')
    assert.ok(asked?.type === 'requested' && asked.hash !== undefined)
    await store.runs.reply(run, asked.request, reply(asked.hash), 'ada')
  }
  await store.close()
  return JSON.parse(inProcess('resume'))
}

interface Sent {
  readonly tool: Tool
  readonly done: number[]
}

function sending(name: string): Sent {
  const done: number[] = []
  const tool = defineTool({
    name,
    description: name,
    input: z.object({ amount: z.number() }),
    does: 'acts',
    needsApproval: true,
    run: ({ amount }) => done.push(amount),
  })
  return { tool, done }
}

const asks = (tool: string, ...amounts: readonly number[]): ScriptedAnswer => ({
  toolCalls: amounts.map((amount) => ({ tool, input: { amount } })),
})

interface Asked {
  readonly id: string
  readonly tool: string
  readonly input: Json
  readonly hash: string
}

/** Drives an agent; `answer` replies to each request until a reply is accepted. */
async function driven(
  script: readonly ScriptedAnswer[],
  tools: readonly Tool[],
  answer: (
    asked: Asked,
    before: readonly Asked[],
  ) => readonly (readonly [id: string, reply: Json])[],
): Promise<{ readonly asked: readonly Asked[]; readonly refused: number }> {
  const run = createAgent({ model: scriptedModel(script), tools, permissions: {} }).run('go')
  const asked: Asked[] = []
  let refused = 0
  for await (const event of run) {
    if (event.type !== 'request-open' || !isApproval(event.about)) continue
    const { tool, input, hash } = event.about
    const one = { id: event.request, tool, input, hash }
    for (const [id, reply] of answer(one, asked)) {
      try {
        run.respond(id, reply)
      } catch {
        refused++
      }
    }
    asked.push(one)
  }
  await run.result
  return { asked, refused }
}

suite('approvals given for another call', () => {
  test('a call that changed between the question and the answer is asked again in another process, not run', async (t) => {
    for (const reply of [(): Json => 'once', (hash: string): Json => ({ choice: 'once', hash })]) {
      const came = await twoLives(reply)
      await tried(t, {
        cases: came,
        named: ({ change }) => change,
        hold({ change, paidUnasked, asked, paid }) {
          const isSame = change === 'nothing'
          const amount = change === 'arguments' ? 10 : 5
          assert.deepEqual(paidUnasked, isSame ? [5] : [])
          assert.deepEqual(asked, isSame ? [] : [{ amount }])
          assert.deepEqual(paid, [amount])
        },
      })
    }
  })

  test('two waiting calls are answered separately, and the same call twice is asked twice', async () => {
    const { tool, done } = sending('send')
    const { asked } = await driven([asks('send', 1, 2, 2), 'Done.'], [tool], ({ id, input }) => [
      [id, JSON.stringify(input) === '{"amount":1}' ? 'deny' : 'once'],
    ])
    assert.deepEqual(done, [2, 2])
    assert.equal(new Set(asked.map(({ id }) => id)).size, 3)
    const later = sending('send')
    const again = await driven(
      [asks('send', 3), asks('send', 3), 'Done.'],
      [later.tool],
      ({ id }, before) => [[id, before.length === 0 ? 'once' : 'deny']],
    )
    assert.equal(again.asked.length, 2)
    assert.deepEqual(later.done, [3])
  })

  test('an answer to another request, or with another hash, is rejected', async () => {
    const { tool, done } = sending('send')
    const { refused, asked } = await driven(
      [asks('send', 1), asks('send', 2), 'Done.'],
      [tool],
      (one, before) => {
        const [first] = before
        if (first === undefined) return [[one.id, 'once']]
        return [
          [first.id, 'once'],
          ['no-such', 'once'],
          [one.id, { choice: 'once', hash: first.hash }],
          [one.id, 'yes'],
          [one.id, 'deny'],
        ]
      },
    )
    assert.equal(asked.length, 2)
    assert.equal(refused, 4)
    assert.deepEqual(done, [1])
  })

  test('a recorded answer with another hash approves nothing', async () => {
    const journal = new KeptJournal()
    const { tool, done } = sending('send')
    const settings = { tools: [tool], permissions: {}, journal, suspend: { afterMs: 1 } }
    const model = scriptedModel([asks('send', 1), 'Done.'])
    const run = createAgent({ model, ...settings }).run('go', { runId: 'r' })
    await assert.rejects(run.result, { code: 'RUN_SUSPENDED' })
    const asked = journal.read('r').find(({ type }) => type === 'requested')
    assert.ok(asked?.type === 'requested')
    const reply = { choice: 'once', hash: 'of another call' }
    journal.put('r', { type: 'replied', request: asked.request, reply, at: 1 })
    const resumed = await createAgent({ model, ...settings }).resume('r')
    assert.match(JSON.stringify((await resumed.result).messages), /did not approve/)
    assert.deepEqual(done, [])
  })

  test('an `always` for one tool does not apply to another', async () => {
    const [send, erase] = [sending('send'), sending('send_all')]
    const { asked } = await driven(
      [asks('send', 1), asks('send', 2), asks('send_all', 3), 'Done.'],
      [send.tool, erase.tool],
      ({ id, tool }) => [[id, tool === 'send' ? 'always' : 'deny']],
    )
    assert.deepEqual(
      asked.map(({ tool }) => tool),
      ['send', 'send_all'],
    )
    assert.deepEqual([send.done, erase.done], [[1, 2], []])
  })
})
