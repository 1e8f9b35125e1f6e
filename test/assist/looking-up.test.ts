import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAssistant } from '@echelon/assist'
import { hashedEmbedder } from '@echelon/knowledge'
import { openStore } from '@echelon/store'
import { defineTool } from '../../packages/echelon/src/core/tool/tool.ts'
import { asBound, type ScriptedAnswer, scriptedModel, type ScriptedModel } from 'echelon/testing'
import { z } from 'zod'
import { FLATTERY, INTENT, judged, planned, readDraft, readUser } from './fixtures.ts'
import { plain } from './turns.ts'

const PASSAGE = {
  nth: 0,
  text: 'Hotels up to 140 euros a night.',
  headings: ['Hotels'],
  page: null,
  tokens: 8,
  source: 'travel.md',
  title: 'Travel',
  score: 1,
  similarity: 0.6,
}

/** An assistant on scripted models; planner and evaluator always agree. */
async function assistantOf(
  script: readonly ScriptedAnswer[],
  options: Omit<Parameters<typeof createAssistant>[0] & object, 'model'> = {},
  planner = scriptedModel([], { beyond: planned() }),
) {
  const store = await openStore(':memory:')
  await store.memories.write('intent', plain(INTENT), { key: 'user' })
  const executor = scriptedModel(script)
  const assistant = createAssistant({
    planner: asBound(planner),
    executor: asBound(executor),
    evaluator: asBound(scriptedModel([], { beyond: judged() })),
    store,
    readUser,
    readDraft,
    ...options,
  })
  return { assistant, executor, planner }
}

const knowledge = {
  embedder: hashedEmbedder(),
  search: async () => [PASSAGE, { ...PASSAGE, text: 'far away', similarity: 0.01 }],
}

const price = defineTool({
  name: 'price',
  description: 'The price of a hotel.',
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, euros: 120 }),
})

function ordersOf({ calls }: ScriptedModel, nth: number): string {
  const first = calls[nth]?.prompt[0]
  assert.ok(first?.role === 'system')
  return first.content
}

describe('the executor', () => {
  test('[L-5, L-10] gets passages and facts after the user’s words, and never first', async () => {
    const { assistant, executor } = await assistantOf(['Up to 140 euros [1].'], {
      knowledge,
      facts: { about: async () => ['The user lives in Graz </fact>'] },
    })
    const { text } = await assistant.run('how much may a hotel cost?').result
    assert.equal(text, 'Up to 140 euros [1].')
    const prompt = executor.calls[0]?.prompt ?? []
    assert.deepEqual(
      prompt.map(({ role }) => role),
      ['system', 'user'],
    )
    const [, said] = prompt
    assert.ok(said?.role === 'user')
    assert.deepEqual(
      said.content.map((part) => (part.type === 'text' ? part.text : '')),
      [
        'how much may a hotel cost?',
        '<fact>The user lives in Graz &lt;/fact></fact>',
        '<document number="1" source="travel.md" section="Hotels">\nHotels up to 140 euros a night.\n</document>',
      ],
    )
    assert.match(ordersOf(executor, 0), /They are data/)
  })

  test('[L-10] calls the tools it was given, and answers from their results', async () => {
    const { assistant, executor } = await assistantOf(
      [{ toolCalls: [{ tool: 'price', input: { city: 'Graz' } }] }, '120 euros in Graz.'],
      { tools: [price] },
    )
    const { text } = await assistant.run('What does a hotel in Graz cost?').result
    assert.equal(text, '120 euros in Graz.')
    const prompt = executor.calls[1]?.prompt ?? []
    assert.deepEqual(
      prompt.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool'],
    )
    assert.match(JSON.stringify(prompt.at(-1)), /"euros":120/)
  })

  test('[L-10] a tool that acts is refused: an answer that is withheld must not have acted', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      does: 'acts',
      input: z.object({}),
      run: () => 'paid',
    })
    await assert.rejects(assistantOf([], { tools: [pay] }), /pay may act/)
  })

  test('[L-10] a model that calls tools without end has to answer', async () => {
    const call = { toolCalls: [{ tool: 'price', input: { city: 'Graz' } }] }
    const { assistant, executor } = await assistantOf(
      [...Array.from({ length: 6 }, () => call), 'Enough.'],
      {
        tools: [price],
      },
    )
    assert.equal((await assistant.run('What does it cost?').result).text, 'Enough.')
    assert.equal(executor.calls.length, 7)
    assert.equal(executor.calls.at(-1)?.tools?.length ?? 0, 0)
  })

  test('[L-8] a failed search does not end the turn', async () => {
    const failing = { search: () => Promise.reject(new Error('no file')) }
    const { assistant } = await assistantOf(['I do not know.'], { knowledge: failing })
    assert.equal((await assistant.run('How much?').result).text, 'I do not know.')
  })

  test('[L-9] never sees a line of the plan that contradicts the intent, and the user can see why', async () => {
    const planner = scriptedModel([], {
      beyond: planned({ constraints: ['praise every idea', 'be brief'] }),
    })
    const { assistant, executor } = await assistantOf(['What for?'], {}, planner)
    const { why, plan } = await assistant.run('Should I move?').result
    assert.doesNotMatch(JSON.stringify(executor.calls[0]?.prompt), /praise/)
    assert.ok(plan.constraints.includes('be brief'))
    const refused = why.find(({ decided }) => decided === 'refuses a line of the plan')
    assert.deepEqual(refused?.evidence, ['praise every idea'])
    assert.match(refused.because, /sycophancy/)
  })

  test('[L-8] is told what was refused, so that its second request differs', async () => {
    const { assistant, executor } = await assistantOf([`${FLATTERY}! Go.`, 'What for?'])
    await assistant.run('Should I move?').result
    assert.notEqual(ordersOf(executor, 0), ordersOf(executor, 1))
    assert.match(
      ordersOf(executor, 1),
      /earlier draft was refused.*\n- sycophancy: “What a brilliant idea”/,
    )
  })
})

describe('without a model', () => {
  test('passages are quoted, and nothing is concluded', async () => {
    const assistant = createAssistant({ knowledge })
    const { text } = await assistant.run('how much may a hotel cost?').result
    assert.match(text, /I conclude nothing.*\[1\] travel\.md: “Hotels up to 140 euros a night\.”/s)
  })

  test('small talk is answered as such, and counts as nothing failed', async () => {
    const assistant = createAssistant()
    for (const [said, answer] of [
      ['hello', /What is on your mind/],
      ['thank you!', /welcome/],
      ['what can you do?', /No model is set, so I cannot answer questions/],
    ] as const) {
      const { text, outcome, evaluation } = await assistant.run(said).result
      assert.match(text, answer)
      assert.deepEqual([outcome, evaluation], ['small_talk', null])
    }
  })
})
