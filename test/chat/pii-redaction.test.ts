import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { createAgent, defineTool } from '../../packages/echelon/src/chat.ts'
import {
  caching,
  piiRedaction,
  type PiiRedactionOptions,
} from '../../packages/echelon/src/middleware.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime.ts'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { eventsOf } from './kit.ts'

const ANN = 'ann@example.org'

const mails: string[] = []
const mail = defineTool({
  name: 'mail',
  description: 'sends a mail',
  input: z.object({ to: z.string() }),
  run: ({ to }) => {
    mails.push(to)
    return `sent to ${to}`
  },
})

function agentOf(options: PiiRedactionOptions, script: readonly ScriptedAnswer[]) {
  const scripted = scriptedModel(script)
  const journal = new MemoryJournal()
  const use = [piiRedaction(options)]
  const agent = createAgent({ model: asBound(scripted), tools: [mail], use, journal })
  return { agent, scripted, journal }
}

describe('[C-34] an agent whose model sees no personal data', () => {
  const script: readonly ScriptedAnswer[] = [
    { toolCalls: [{ tool: 'mail', input: { to: '[redacted:email#1]' } }] },
    { text: ['I wrote to [redac', 'ted:email#1].'] },
  ]

  test('still works: its tools and its user get the original values', async () => {
    for (const isWatched of [true, false]) {
      mails.length = 0
      const { agent, scripted } = agentOf({ mode: 'restore' }, script)
      const run = agent.run(`Write to ${ANN}`)
      const events = isWatched ? await eventsOf(run) : []
      const shown = events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
      const { text, messages } = await run.result
      assert.equal(text, `I wrote to ${ANN}.`)
      if (isWatched) assert.equal(shown.join(''), text)
      assert.deepEqual(mails, [ANN])
      const sent = JSON.stringify(scripted.calls.map(({ prompt }) => prompt))
      assert.ok(!sent.includes(ANN))
      assert.match(sent, /sent to \[redacted:email#1\]/)
      assert.match(
        JSON.stringify(messages),
        /Write to ann@.*"to":"ann@.*sent to ann@.*I wrote to ann@/,
      )
    }
  })

  test('a run resumed in another process has the same placeholders, without any state', async () => {
    const stopped = agentOf({ mode: 'restore' }, script.slice(0, 1))
    const run = stopped.agent.run(`Write to ${ANN}`)
    await run.outcome
    const entries = stopped.journal.read(run.id)
    // Up to the tool's result: as if it had crashed before the second answer.
    const second = entries.findIndex((entry) => entry.type === 'closed' && entry.seq === 1)
    const kept = entries.slice(0, second + 1)
    assert.ok(!JSON.stringify(kept).includes('#1'))
    const journal = new MemoryJournal()
    journal.append(run.id, kept)
    const scripted = scriptedModel(script.slice(1))
    const use = [piiRedaction({ mode: 'restore' })]
    const agent = createAgent({ model: asBound(scripted), tools: [mail], use, journal })
    assert.equal((await (await agent.resume(run.id)).result).text, `I wrote to ${ANN}.`)
    const sent = JSON.stringify(scripted.calls.map(({ prompt }) => prompt))
    assert.ok(!sent.includes(ANN))
  })

  test("no inner cache holds the data, and no user gets another's data", async () => {
    const answer = 'It is [redacted:email#1].'
    const agent = createAgent({
      model: asBound(scriptedModel([answer])),
      use: [piiRedaction({ mode: 'restore' }), caching()],
    })
    assert.equal((await agent.run(`I am ${ANN}`).result).text, `It is ${ANN}.`)
    assert.equal((await agent.run('I am bob@example.org').result).text, 'It is bob@example.org.')
  })
})

test('[C-34] an answer is masked and stored masked, streamed or not; tools get their real inputs', async () => {
  mails.length = 0
  const { agent } = agentOf({ direction: 'out' }, [
    { toolCalls: [{ tool: 'mail', input: { to: ANN } }] },
    { text: ['Ask ann@exam', 'ple.org.\n', '\nOr not.'] },
    `Ask ${ANN}.\n\nOr not.`,
  ])
  const run = agent.run('Whom?')
  const shown = (await eventsOf(run)).flatMap((event) =>
    event.type === 'text-delta' ? [event.delta] : [],
  )
  assert.deepEqual(shown, ['Ask [redacted:email].\n\n', 'Or not.'])
  assert.deepEqual(mails, [ANN])
  assert.equal((await run.result).text, shown.join(''))
  assert.equal((await agent.run('Whom?').result).text, shown.join(''))
})

test('[C-34] both directions: the user’s own data is restored, data that the model made up is masked', async () => {
  const { agent } = agentOf({ direction: 'both', mode: 'restore' }, [
    'You are [redacted:email#1], not eve@example.org.',
  ])
  const { text } = await agent.run(`I am ${ANN}`).result
  assert.equal(text, `You are ${ANN}, not [redacted:email].`)
})
