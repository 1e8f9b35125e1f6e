import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { createAgent, isApproval } from '../../packages/echelon/src/chat.ts'
import { defineMiddleware } from '../../packages/echelon/src/core/extension/define-middleware.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import type { Json } from '../../packages/echelon/src/core/value/json.ts'
import type { Verdict } from '../../packages/echelon/src/core/agent/permission.ts'
import { defineTool, type Tool } from '../../packages/echelon/src/core/tool/tool.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import {
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { add, agentWith, asksToAdd, isError, model } from './kit.ts'

type Requested = Extract<RunEvent, { type: 'request-open' }>

/** An acting tool, and its actions. */
function transfer(more: { readonly needsApproval?: boolean } = {}): {
  readonly tool: Tool<{ amount: number }>
  readonly done: number[]
} {
  const done: number[] = []
  const tool = defineTool({
    name: 'transfer',
    description: 'sends money',
    does: 'acts',
    needsApproval: true,
    ...more,
    input: z.object({ amount: z.number() }),
    run: ({ amount }) => {
      done.push(amount)
      return `sent ${amount}`
    },
  })
  return { tool, done }
}

const asksToSend = (...amounts: readonly number[]): ScriptedAnswer => ({
  toolCalls: amounts.map((amount) => ({ tool: 'transfer', input: { amount } })),
})

/** Answers requests in order as they arrive. */
async function answering(
  run: AsyncIterable<RunEvent> & { respond(request: string, reply: Json): void },
  ...replies: readonly Json[]
): Promise<readonly Requested[]> {
  const requests: Requested[] = []
  for await (const event of run) {
    if (event.type !== 'request-open') continue
    const reply = replies[requests.push(event) - 1]
    if (reply !== undefined) run.respond(event.request, reply)
  }
  return requests
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('[C-13] a tool that needs approval', () => {
  test('asks with the call and its hash, and runs when approved', async () => {
    const { tool, done } = transfer()
    const agent = agentWith([asksToSend(5), 'done'], { tools: [tool] })
    const run = agent.run('send 5')
    const [request] = await answering(run, 'once')
    assert.deepEqual(request?.about, {
      type: 'approval',
      tool: 'transfer',
      call: 'call-1-1',
      input: { amount: 5 },
      why: 'transfer runs only when it is approved',
      choices: ['once', 'always', 'deny', 'never'],
      // Of {"input":{"amount":5},"tool":"transfer"}.
      hash: 'aedd0d61b3418c76641c2ed0552bec9800753f71c8838c0462cfdcad25ef8a0d',
    })
    assert.equal((await run.result).text, 'done')
    assert.deepEqual(done, [5])
  })

  test('warns the program without a listener, and continues when answered', async () => {
    const { tool } = transfer()
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    const run = agentWith([asksToSend(5), 'done'], { tools: [tool] }).run('send 5', { runId: 'r' })
    const { message, name } = await warned
    const [request = ''] = run.requests
    assert.equal(name, 'EchelonWarning')
    assert.match(
      message,
      /^the run r waits for a reply to .*, and its events have no listener; iterate/,
    )
    assert.ok(request !== '' && message.includes(request))
    run.respond(request, 'once')
    assert.equal((await run.result).text, 'done')
  })

  test('a denial is a result, not a failure: the model continues', async () => {
    const { tool, done } = transfer()
    const scripted = scriptedModel([asksToSend(5), 'then not'])
    const agent = createAgent({ model: scripted, tools: [tool] })
    const run = agent.run('send 5')
    await answering(run, 'never')
    const { text, reason } = await run.result
    assert.deepEqual([text, reason, done], ['then not', 'stop', []])
    assert.match(JSON.stringify(scripted.calls[1]?.prompt), /did not approve/)
  })

  test('remembers once, always and never for the conversation only', async () => {
    const { tool, done } = transfer()
    const agent = agentWith(
      [1, 2, 3, 4, 5].flatMap((n) => [asksToSend(n), 'ok']),
      {
        tools: [tool],
      },
    )
    const session = agent.session()
    const say = async (...replies: readonly Json[]): Promise<number> => {
      const run = agent.run('go', { session })
      return (await answering(run, ...replies)).length
    }
    assert.equal(await say('once'), 1)
    assert.equal(await say('always'), 1, 'once was for one call')
    assert.equal(await say(), 0)
    assert.deepEqual(done, [1, 2, 3])
    const stored: unknown = JSON.parse(JSON.stringify(session.checkpoint()))
    const restored = agent.restoreSession(stored, { trusted: true })
    assert.equal((await answering(agent.run('go', { session: restored }))).length, 0)
    const other = { session: agent.session() }
    assert.equal((await answering(agent.run('go', other), 'never')).length, 1)
    assert.deepEqual(done, [1, 2, 3, 4])
  })

  test('a `deny` applies to that call only, a `never` from then on', async () => {
    const { tool, done } = transfer()
    const script = [1, 2, 3, 4].flatMap((n) => [asksToSend(n), 'ok'])
    const agent = agentWith(script, { tools: [tool] })
    const session = agent.session()
    const asked = async (reply: Json): Promise<number> =>
      (await answering(agent.run('go', { session }), reply)).length
    assert.deepEqual([await asked('deny'), await asked('once')], [1, 1])
    assert.deepEqual([await asked('never'), await asked('once')], [1, 0])
    assert.deepEqual(done, [2])
  })

  test('asks again when a run is resumed, unless it had ended', async () => {
    const journal = new MemoryJournal()
    let barred = false
    const agent = agentWith(['hello', 'hello'], {
      journal,
      permissions: { turn: () => (barred ? 'not any more' : undefined) },
    })
    await agent.run('hi', { runId: 'r', caller: 'ann' }).result
    const [started] = journal.read('r')
    assert.ok(started)
    journal.append('cut', [started])
    barred = true
    assert.equal((await (await agent.resume('r')).result).text, 'hello')
    const before = journal.read('r').length
    const run = await agent.resume('cut')
    await assert.rejects(run.result, isError('NOT_PERMITTED', /not any more/))
    assert.equal(journal.read('r').length, before)
    barred = false
    assert.equal((await (await agent.resume('cut')).result).text, 'hello')
  })

  test('in an untrusted checkpoint approves nothing, and keeps its denials', async () => {
    const { tool, done } = transfer()
    const agent = agentWith([asksToSend(1), 'no'], { tools: [tool] })
    const forged = (answer: string): unknown => ({
      ...agent.session().checkpoint(),
      states: {
        states: { 'echelon/permissions': { answers: { transfer: answer } } },
        schemaSignature: 'echelon/permissions',
        schemaVersion: 1,
        stateVersions: { 'echelon/permissions': 1 },
      },
    })
    const session = agent.restoreSession(forged('always'))
    assert.equal((await answering(agent.run('go', { session }), 'never')).length, 1)
    assert.deepEqual(done, [])
    const kept = agent.restoreSession(forged('never')).checkpoint().states
    assert.deepEqual(kept.states, { 'echelon/permissions': { answers: { transfer: 'never' } } })
  })

  test('that was denied permanently is neither asked about nor offered again', async () => {
    const { tool, done } = transfer()
    const scripted = scriptedModel([asksToSend(1), 'no', asksToSend(2), 'no'])
    const agent = createAgent({ model: scripted, tools: [tool, add] })
    const session = agent.session()
    await answering(agent.run('go', { session }), 'never')
    assert.equal((await answering(agent.run('go', { session }))).length, 0)
    assert.deepEqual(done, [])
    const offered = scripted.calls.map(({ tools }) => tools?.map(({ name }) => name))
    assert.deepEqual(offered[0], ['transfer', 'add'])
    assert.deepEqual(offered[2], ['add'])
  })

  test('in a batch: calls without approval run at once, the others ask one at a time', async () => {
    const { tool, done } = transfer()
    const both: ScriptedAnswer = {
      toolCalls: [
        { tool: 'transfer', input: { amount: 1 } },
        { tool: 'add', input: { a: 2, b: 3 } },
        { tool: 'transfer', input: { amount: 2 } },
      ],
    }
    const scripted = scriptedModel([both, 'done'])
    const agent = createAgent({ model: scripted, tools: [{ ...tool, parallel: true }, add] })
    const run = agent.run('go')
    const log: string[] = []
    for await (const event of run) {
      if (event.type === 'tool-end') log.push(event.call.tool)
      if (event.type !== 'request-open') continue
      log.push('asked')
      await turn()
      assert.equal(run.requests.length, 1, 'one at a time')
      run.respond(event.request, done.length === 0 ? 'once' : 'never')
    }
    assert.deepEqual(
      log.toSorted((a, b) => (a < b ? -1 : 1)),
      ['add', 'asked', 'asked', 'transfer'],
    )
    assert.equal(log[0] === 'add' || log[1] === 'add', true, 'nobody was waited for')
    assert.deepEqual(done, [1])
    const results = JSON.stringify(scripted.calls[1]?.prompt.find(({ role }) => role === 'tool'))
    assert.match(results, /sent 1.*5.*did not approve/, 'in the order of the calls')
  })

  test('in a batch: a permanent answer applies to the next call of the tool too', async () => {
    for (const [reply, sent] of [
      ['always', [1, 2]],
      ['never', []],
    ] as const) {
      const { tool, done } = transfer()
      const agent = agentWith([asksToSend(1, 2), 'done'], { tools: [{ ...tool, parallel: true }] })
      assert.equal((await answering(agent.run('go'), reply)).length, 1)
      assert.deepEqual(done, sent)
    }
  })

  test('is answered only by the request’s own id, with a known choice, for that exact call', async () => {
    const { tool, done } = transfer()
    const agent = agentWith([asksToSend(5), 'done'], { tools: [tool] })
    const run = agent.run('send 5', { runId: 'r' })
    for (let i = 0; i < 20 && run.requests.length === 0; i++) await turn()
    assert.deepEqual(run.requests, ['r:1.0'])
    assert.throws(() => run.respond('r:1.1', 'once'), isError('UNKNOWN_REQUEST', /r:1\.1/))
    assert.throws(
      () => run.respond('r:1.0', 'yes'),
      isError('INVALID_INPUT', /once, always, deny, never/),
    )
    const other = { choice: 'once', hash: 'another call' }
    assert.throws(() => run.respond('r:1.0', other), isError('INVALID_INPUT', /another call/))
    assert.deepEqual(done, [])
    run.respond('r:1.0', 'once')
    assert.throws(() => run.respond('r:1.0', 'once'), isError('UNKNOWN_REQUEST'), 'answered once')
    assert.equal((await run.result).text, 'done')
    assert.deepEqual(done, [5])
  })

  test("takes none of the run's time while waiting, and a cancel ends it", async () => {
    const clock = new SetClock()
    const { tool, done } = transfer()
    const agent = agentWith([asksToSend(5), 'done', asksToSend(6)], {
      tools: [tool],
      clock,
      limits: { seconds: 1 },
    })
    const run = agent.run('send 5', { runId: 'r' })
    for (let i = 0; i < 20 && run.requests.length === 0; i++) await turn()
    await clock.advance(3 * 86_400_000)
    run.respond('r:1.0', 'once')
    assert.equal((await run.result).text, 'done')
    assert.equal(clock.pending, 0)
    const canceled = agent.run('send 6', { runId: 'c' })
    for (let i = 0; i < 20 && canceled.requests.length === 0; i++) await turn()
    canceled.cancel()
    assert.equal((await canceled.result).reason, 'canceled')
    assert.deepEqual(done, [5])
  })
})

describe('[C-6] a custom permit hook inside the rules', () => {
  const saying = (verdict: Verdict) =>
    defineMiddleware({
      name: 'guard',
      permit: async (request, next) => (request.type === 'call' ? verdict : next(request)),
    })()

  test('denies calls that a rule allows or asks about', async () => {
    for (const verdict of ['allow', 'ask'] as const) {
      const { tool, done } = transfer()
      const agent = createAgent({
        model: model([asksToSend(1), 'not']),
        tools: [tool],
        permissions: { rules: [{ verdict }] },
        use: [saying({ type: 'deny', reason: 'the bank is closed' })],
      })
      const run = agent.run('go')
      assert.deepEqual(await answering(run, 'once'), [])
      assert.match(JSON.stringify((await run.result).messages), /the bank is closed/)
      assert.deepEqual(done, [])
    }
  })

  test("asks even if a rule allows; the rule decides only about the tool's own approval", async () => {
    const { tool, done } = transfer()
    const permissions = { rules: [{ verdict: 'allow' }] } as const
    const asking = createAgent({
      model: model([asksToSend(1), 'done']),
      tools: [tool],
      permissions,
      use: [saying({ type: 'ask', why: 'it is night' })],
    })
    const [request] = await answering(asking.run('go'), 'once')
    assert.match(JSON.stringify(request?.about), /it is night/)
    const plain = createAgent({ model: model([asksToSend(2), 'done']), tools: [tool], permissions })
    assert.deepEqual(await answering(plain.run('go')), [])
    assert.deepEqual(done, [1, 2])
  })

  test('that remembers nothing offers no permanent choices', async () => {
    const { tool, done } = transfer({ needsApproval: false })
    const agent = createAgent({
      model: model([asksToSend(1), asksToSend(2), 'done']),
      tools: [tool],
      use: [saying({ type: 'ask', why: 'it is night' })],
    })
    const run = agent.run('go', { runId: 'r' })
    for (let i = 0; i < 20 && run.requests.length === 0; i++) await turn()
    assert.throws(
      () => run.respond('r:1.0', 'always'),
      isError('INVALID_INPUT', /nothing remembers .* once, deny/),
    )
    run.respond('r:1.0', 'never')
    const [request] = await answering(run, 'once')
    assert.ok(isApproval(request?.about))
    assert.deepEqual(request.about.choices, ['once', 'deny'])
    assert.deepEqual(done, [2], 'it was for that call alone')
  })
})

describe('[C-13] a request survives its process', () => {
  const READ = defineTool({
    name: 'read',
    description: 'reads',
    input: z.object({}),
    run: () => reads.push('read'),
  })
  const reads: string[] = []
  const batch: ScriptedAnswer = {
    toolCalls: [
      { tool: 'read', input: {} },
      { tool: 'transfer', input: { amount: 7 } },
    ],
  }

  test('and completed work is not repeated', async () => {
    const journal = new MemoryJournal()
    const first = transfer()
    const dead = agentWith([batch], { tools: [first.tool, READ], journal })
    const left = dead.run('go', { runId: 'r' })
    for (let i = 0; i < 20 && left.requests.length === 0; i++) await turn()
    // The process is gone and answers nothing any more.
    const second = transfer()
    const alive = agentWith(['done'], { tools: [second.tool, READ], journal })
    const run = await alive.resume('r')
    const [request] = await answering(run, 'always')
    assert.equal(request?.request, 'r:1.1')
    assert.equal((await run.result).text, 'done')
    assert.deepEqual([reads.length, first.done, second.done], [1, [], [7]])
    // The answer is recorded: a third process asks nothing and does nothing.
    const third = transfer()
    const again = await agentWith([], { tools: [third.tool, READ], journal }).resume('r')
    assert.deepEqual(await answering(again), [])
    assert.equal((await again.result).text, 'done')
    assert.deepEqual(third.done, [])
  })
})

describe('[C-6] rules', () => {
  test('match by tool, arguments and caller; the first match decides', async () => {
    const { tool, done } = transfer({ needsApproval: false })
    const cases = [
      [{ caller: 'eve' }, 1, 0, []],
      [{}, 5, 0, [5]],
      [{}, 500, 1, [500]],
      [{ caller: 'boss' }, 500, 0, [500]],
    ] as const
    for (const [given, amount, asked, sent] of cases) {
      done.length = 0
      const agent = agentWith([asksToSend(amount), 'done'], {
        tools: [tool],
        permissions: {
          rules: [
            { tools: 'trans*', callers: ['eve'], verdict: 'deny', reason: 'not eve' },
            { callers: ['boss'], verdict: 'allow' },
            { tools: ['transfer'], when: ({ input }) => amountOf(input) > 100, verdict: 'ask' },
          ],
        },
      })
      const requests = await answering(agent.run('send', given), 'once')
      assert.deepEqual([requests.length, done], [asked, sent])
    }
  })

  test('can deny a whole turn', async () => {
    const agent = agentWith(['hello'], {
      permissions: { turn: ({ caller }) => (caller === 'ann' ? undefined : 'only ann may') },
    })
    await assert.rejects(agent.run('hi').result, isError('NOT_PERMITTED', /only ann may/))
    assert.equal((await agent.run('hi', { caller: 'ann' }).result).text, 'hello')
  })

  test('that throw allow nothing', async () => {
    const { tool, done } = transfer({ needsApproval: false })
    const broken = (): never => {
      throw new Error('no such table')
    }
    const agent = agentWith([asksToSend(1), 'then not'], {
      tools: [tool],
      permissions: { rules: [{ when: broken, verdict: 'allow' }] },
    })
    const { messages } = await agent.run('go').result
    assert.deepEqual(done, [])
    assert.match(JSON.stringify(messages), /could not be checked \(no such table\)/)
  })

  test("also apply to a sub-agent's approval, which its parent asks", async () => {
    const { tool, done } = transfer()
    const expert = agentWith([asksToSend(3), 'sent'], { name: 'expert', tools: [tool] })
    const asked = expert.asTool({ name: 'bank', description: 'sends money' })
    const journal = new MemoryJournal()
    const agent = agentWith(
      [{ toolCalls: [{ tool: 'bank', input: { task: 'send 3' } }] }, 'all done'],
      { tools: [asked], journal, limits: { seconds: 60 } },
    )
    const run = agent.run('send 3', { runId: 'r' })
    for (let i = 0; i < 40 && run.requests.length === 0; i++) await turn()
    assert.deepEqual(run.requests, ['r:1.0/1.0'])
    // Another process resumes here too, and continues the child from its last step.
    const other = agentWith(['sent'], { name: 'expert', tools: [tool] })
    const alive = agentWith(['all done'], {
      tools: [other.asTool({ name: 'bank', description: 'sends money' })],
      journal,
      limits: { seconds: 60 },
    })
    const resumed = await alive.resume('r')
    const [request] = await answering(resumed, 'once')
    assert.deepEqual([request?.request, request?.path], ['r:1.0/1.0', '1.0/'])
    assert.equal((await resumed.result).text, 'all done')
    assert.deepEqual(done, [3])
    run.cancel()
  })
})

test('[C-13] a sum needs no approval', async () => {
  const agent = agentWith([asksToAdd(1, 2), '3'], { tools: [add] })
  assert.deepEqual(await answering(agent.run('1 + 2?')), [])
})

const amountOf = (input: Json): number =>
  typeof input === 'object' && input !== null && 'amount' in input ? Number(input['amount']) : 0

describe('[C-13] before anybody is asked', () => {
  const agentOf = (
    script: readonly ScriptedAnswer[],
    tool: Tool,
    more: { readonly limits?: { readonly tools: number } } = {},
  ) => agentWith([...script, 'well then'], { tools: [tool], ...more })

  test('the arguments are checked: a call that cannot run is answered at once', async () => {
    const { tool, done } = transfer()
    const wrong = { toolCalls: [{ tool: 'transfer', input: { amount: 'much' } }] }
    const run = agentOf([wrong], tool).run('send much')
    assert.deepEqual(await answering(run), [])
    assert.match(JSON.stringify((await run.result).messages), /amount: /)
    assert.deepEqual(done, [])
    assert.equal(run.spent['tools'], 1)
  })

  test('and so is the remaining tool limit', async () => {
    const { tool, done } = transfer()
    const run = agentOf([asksToSend(5, 6)], tool, { limits: { tools: 1 } }).run('send 5 and 6')
    const requests = await answering(run, 'once')
    assert.equal(requests.length, 1)
    await run.result
    assert.deepEqual(done, [5])
  })
})

describe('[C-13] an approval applies to the exact call', () => {
  const doubling = defineMiddleware({
    name: 'doubling',
    tool: (call, next) => {
      const { amount } = z.object({ amount: z.number() }).parse(call.input)
      return next({ ...call, input: { amount: amount * 2 } })
    },
  })

  test('a call that middleware changes is approved again, without taking run time', async () => {
    const clock = new SetClock()
    const settings = { clock, limits: { seconds: 5 }, use: [doubling()] }
    for (const [reply, sent] of [
      ['once', [10]],
      ['never', []],
    ] as const) {
      const { tool, done } = transfer()
      const scripted = scriptedModel([asksToSend(5), 'done'])
      const run = createAgent({ model: scripted, tools: [tool], ...settings }).run('send 5')
      const requests: Requested[] = []
      for await (const event of run) {
        if (event.type !== 'request-open') continue
        await turn()
        await clock.advance(60_000)
        run.respond(event.request, requests.push(event) === 1 ? 'once' : reply)
      }
      assert.equal((await run.result).reason, 'stop')
      assert.deepEqual(done, sent)
      const inputs = requests.map(
        ({ about }) => z.object({ input: z.unknown() }).parse(about).input,
      )
      assert.deepEqual(inputs, [{ amount: 5 }, { amount: 10 }])
      assert.equal(new Set(requests.map(({ request }) => request)).size, 2)
      assert.equal(clock.pending, 0)
    }
  })

  test('and rules with conditions are checked again', async () => {
    const { tool, done } = transfer({ needsApproval: false })
    const when = ({ input }: { readonly input: Json }): boolean =>
      z.object({ amount: z.number() }).parse(input).amount > 5
    const scripted = scriptedModel([asksToSend(5), 'done'])
    const permissions = { rules: [{ when, verdict: 'deny', reason: 'too much' } as const] }
    const run = createAgent({ model: scripted, tools: [tool], use: [doubling()], permissions }).run(
      'send 5',
    )
    assert.match(JSON.stringify((await run.result).messages), /too much/)
    assert.deepEqual(done, [])
  })
})

test('[C-13] a request without an answer is closed with the run', async () => {
  const { tool } = transfer()
  const run = agentWith([asksToSend(5)], { tools: [tool] }).run('send 5')
  const closed: RunEvent[] = []
  for await (const event of run) {
    if (event.type === 'request-open') run.cancel()
    if (event.type === 'request-close') closed.push(event)
  }
  assert.deepEqual(
    closed.map((event) => event.type === 'request-close' && event.reply),
    [null],
  )
})
