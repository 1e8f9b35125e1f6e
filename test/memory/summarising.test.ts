import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { summariseWith, summarising } from '../../packages/echelon/src/middleware.ts'
import { openStore } from '@echelon/store'
import { asBound, promptText, scriptedModel } from 'echelon/testing'

const TURN = 'I bought something and want to tell you all about it, at length and in detail. '
const SUMMARY = 'They bought many things.'
const isSummary = (text: string): boolean => text.startsWith('system: Summarise')

test('a long conversation stays within its tokens, after restarts too, and each summary is paid for [S-19]', async () => {
  const store = await openStore(':memory:')
  const prompts: string[] = []
  const model = scriptedModel([], {
    beyond: (call) => {
      const text = promptText(call)
      prompts.push(text)
      return isSummary(text) ? SUMMARY : `Noted: ${'yes '.repeat(20)}`
    },
  })
  const open = () =>
    createAgent({
      name: 'listener',
      model: asBound(model),
      store,
      use: [summarising({ maxTokens: 400, summarise: summariseWith() })],
    })
  let calls = 0
  for (let turn = 1; turn <= 12; turn++) {
    // Each turn by another agent of the same name, as after a restart.
    const agent = open()
    const session = await agent.openSession('ada')
    const heard: string[] = []
    const run = agent.run(`${TURN}Number ${turn}: order O-${10_000 + turn}.`, { session })
    for await (const event of run) if (event.type === 'text-delta') heard.push(event.delta)
    const { text } = await run.result
    assert.match(text, /^Noted/)
    assert.equal(heard.join(''), text)
    for (const [name, amount = 0] of Object.entries(run.spent)) {
      if (name.startsWith('calls.')) calls += amount
    }
    assert.equal(session.messages.length, turn * 2, 'what is kept of it is whole')
  }
  const summaries = prompts.filter(isSummary)
  const answers = prompts.filter((prompt) => !isSummary(prompt))
  assert.equal(answers.length, 12)
  assert.ok(summaries.length >= 2 && summaries.length <= 5, `${summaries.length} summaries`)
  for (const prompt of answers) assert.ok(prompt.length <= 400 * 4, `${prompt.length} characters`)
  assert.match(answers.at(-1) ?? '', /O-10001.*They bought many things/s)
  assert.match(answers.at(-1) ?? '', /order O-10012/)
  assert.equal(calls, prompts.length, 'each is on the account of its run')
})
