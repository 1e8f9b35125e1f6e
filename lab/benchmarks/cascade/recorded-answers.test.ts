import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ask } from './gsm8k-ladder.ts'
import { estimatedTokens, recordedAnswers } from './recorded-answers.ts'

const model = () =>
  recordedAnswers(
    'mistral/small',
    new Map([
      ['How many?', [{ text: 'Two.', usage: { input: 10, output: 2 } }, { text: 'Three.' }]],
    ]),
    ({ input, output }) => input + 10 * output,
  )

suite('a model out of recorded answers', () => {
  test('gives the answers to a question in order, and costs what they used', async () => {
    const recorded = model()
    assert.deepEqual(await ask(recorded, 'How many?'), { text: 'Two.', dollars: 30 })
    assert.equal((await ask(recorded, 'How many?')).text, 'Three.')
  })

  test('fails on a question that was not recorded, and beyond the record', async () => {
    const recorded = model()
    await assert.rejects(ask(recorded, 'How much?'), {
      code: 'UNRECORDED_CALL',
      message: /no answer of mistral\/small to “How much\?” is recorded; ask one/,
    })
    await ask(recorded, 'How many?')
    await ask(recorded, 'How many?')
    await assert.rejects(ask(recorded, 'How many?'), {
      code: 'UNRECORDED_CALL',
      message: /all 2 recorded answers of mistral\/small .* have been given/,
    })
  })

  test('is streamed as well', async () => {
    const { stream } = await model().model.doStream({
      prompt: [
        { role: 'system', content: 'Answer.' },
        { role: 'user', content: [{ type: 'text', text: 'How many?' }] },
      ],
    })
    const parts = []
    for await (const part of stream) parts.push(part)
    assert.equal(
      parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join(''),
      'Two.',
    )
  })
})

test('tokens are estimated from the length of a text', () => {
  assert.deepEqual(['', 'a', 'abcd', 'abcde'].map(estimatedTokens), [0, 1, 1, 2])
})
