import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { transformText } from '../../packages/echelon/src/middleware.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime.ts'
import { asBound, scriptedModel } from 'echelon/testing'

describe('[C-34] in an agent', () => {
  const use = [transformText({ replace: [{ find: /lamp/i, with: 'light' }], cutAt: 'END' })]
  const text = ['A la', 'mp. EN', 'D of it']

  test('the answer is changed and stored changed, with or without a listener', async () => {
    const agent = createAgent({
      model: asBound(scriptedModel([{ text }, { text }])),
      use,
    })
    const watched = agent.run('What is it?')
    let shown = ''
    for await (const event of watched) if (event.type === 'text-delta') shown += event.delta
    const quiet = await agent.run('What is it?').result
    assert.equal(shown, 'A light. ')
    assert.equal((await watched.result).text, shown)
    assert.equal(quiet.text, shown)
    assert.match(JSON.stringify(quiet.messages), /A light\. "/)
  })

  test('a resumed run has the changed answer, changed once', async () => {
    const journal = new MemoryJournal()
    const twice = [transformText({ replace: [{ find: 'x', with: 'xx' }] })]
    const agent = createAgent({ model: asBound(scriptedModel(['x'])), use: twice, journal })
    const run = agent.run('Say x')
    await run.result
    const again = await agent.resume(run.id)
    assert.equal((await again.result).text, 'xx')
  })
})
