import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as fc from 'fast-check'
import { asLines, madeTraces } from '../../testing/made-traces.ts'
import { readTraces } from './read-traces.ts'
import type { Trace } from './trace.ts'

async function* chunks(text: string, size = 7): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const read = (text: string, size?: number): Promise<Trace[]> =>
  Array.fromAsync(readTraces(chunks(text, size), 'traces.jsonl'))

const row = (given: object = {}): object => ({
  id: 'a',
  question: 'What is 6 × 7?',
  wanted: 'number',
  gold: 42,
  answers: [{ model: 'x/small', text: 'It is 42.' }],
  ...given,
})

/** Whether each answer to a task with such a gold is right. */
async function graded(wanted: unknown, gold: unknown, ...answers: object[]): Promise<unknown[]> {
  const named = answers.map((answer, at) => ({ model: `m${at}`, ...answer }))
  const [trace] = await read(asLines([row({ wanted, gold, answers: named })]))
  return trace?.answers.map(({ ok }) => ok) ?? []
}

suite('traces', () => {
  test('are read with all their fields, whatever the pieces they arrive in', async () => {
    const given = row({
      group: 'story 1',
      earlier: ['Hello'],
      today: '2026-01-05',
      tools: [{ name: 'multiply', description: 'a × b', parameters: { type: 'object' } }],
      sources: [{ name: 'table', text: '6 × 7 = 42' }],
      answers: [
        {
          model: 'x/small',
          text: '41',
          ok: true,
          cost: 0.5,
          input_tokens: 10,
          output_tokens: 2,
          latency_s: 1.5,
        },
        { model: 'x/big', calls: [{ name: 'multiply', arguments: { a: 6, b: 7 } }] },
      ],
    })
    const text = `\uFEFF${JSON.stringify(given)}\r\n\n`
    for (const size of [1, 5, 1_000]) {
      const [trace, ...more] = await read(text, size)
      assert.equal(more.length, 0)
      assert.deepEqual(trace, {
        line: 1,
        id: 'a',
        group: 'story 1',
        task: {
          question: 'What is 6 × 7?',
          wanted: { kind: 'number' },
          earlier: ['Hello'],
          today: '2026-01-05',
          tools: [{ name: 'multiply', description: 'a × b', jsonSchema: { type: 'object' } }],
          sources: [{ name: 'table', text: '6 × 7 = 42' }],
        },
        answers: [
          {
            model: 'x/small',
            answer: { type: 'text', text: '41' },
            ok: true,
            cost: 0.5,
            usage: { input: 10, output: 2 },
            latency: 1.5,
          },
          {
            model: 'x/big',
            answer: {
              type: 'calls',
              calls: [{ id: 'call-0', tool: 'multiply', input: { a: 6, b: 7 } }],
            },
            ok: false,
            cost: null,
            usage: null,
            latency: null,
          },
        ],
      })
    }
  })

  test('are graded by the kind that is wanted', async () => {
    const text = (text: string): object => ({ text })
    assert.deepEqual(
      await graded('number', '1,200', text('So 1200.00'), text('12'), { json: { answer: 1200 } }),
      [true, false, true],
    )
    assert.deepEqual(
      await graded('date', '2026-03-04', text('It is March 4, 2026.'), text('March 5, 2026')),
      [true, false],
    )
    assert.deepEqual(await graded('yes-no', false, text('No.'), text('Yes, it is.')), [true, false])
    assert.deepEqual(
      await graded(
        { kind: 'choice', choices: ['Oslo', 'Rome'] },
        'Rome',
        text('(B)'),
        text('oslo'),
      ),
      [true, false],
    )
    const schema = { type: 'object' }
    assert.deepEqual(
      await graded(
        { kind: 'json', schema },
        { a: 1, b: [2] },
        { json: { b: [2], a: 1 } },
        text('{"a": 1}'),
      ),
      [true, false],
    )
    const call = (city: string): object => ({ name: 'weather', arguments: { city } })
    assert.deepEqual(
      await graded(
        'calls',
        [call('Oslo'), call('Rome')],
        { calls: [call('Rome'), call('Oslo')] },
        { calls: [call('Oslo'), call('Oslo')] },
        text('I do not know'),
      ),
      [true, false, false],
    )
    assert.deepEqual(await graded('calls', [], text('No tool does that.')), [true])
    assert.deepEqual(await graded(undefined, 'Blue', text('blue!'), text('red')), [true, false])
  })

  test('without `gold` and `ok` leave it open whether an answer is right', async () => {
    const [trace] = await read(asLines([row({ gold: null })]))
    assert.equal(trace?.answers[0]?.ok, null)
  })

  test('that are damaged are rejected by their line, with what is wrong', async () => {
    const answer = { model: 'm', text: '42' }
    const cases: readonly [string, RegExp][] = [
      ['{', /^traces\.jsonl, line 1: is not JSON: /],
      ['[1]', /line 1: must be a JSON object, not \[1\]$/],
      [asLines([row(), row()]), /line 2: the id "a" is already that of line 1$/],
      [asLines([row({ id: 7 })]), /line 1: `id` must be a text, not 7$/],
      [asLines([row({ question: ' ' })]), /line 1: `question` is needed: a text, not " "$/],
      [
        asLines([row({ anwsers: [] })]),
        /line 1: has an unknown field "anwsers"; did you mean answers\?$/,
      ],
      [
        asLines([row({ wanted: 'numbr' })]),
        /wanted: there is no kind "numbr"; did you mean number/,
      ],
      [asLines([row({ wanted: { kind: 'choice', choices: ['a'] } })]), /at least two texts/],
      [asLines([row({ wanted: { kind: 'json' } })]), /`schema` must be a JSON Schema, not absent$/],
      [asLines([row({ gold: 'many' })]), /`gold` must be of the kind that is wanted, number/],
      [asLines([row({ answers: [] })]), /`answers` must be a list of at least one answer/],
      [asLines([row({ answers: [answer, answer] })]), /has two of the model m$/],
      [asLines([row({ answers: [{ model: 'm' }] })]), /answers\[0\]: needs its answer as `text`/],
      [
        asLines([row({ answers: [{ ...answer, cost: -1 }] })]),
        /line 1, answers\[0\]: `cost` must be a number from 0 on, not -1$/,
      ],
      [
        asLines([row({ answers: [{ ...answer, ok: 'yes' }] })]),
        /answers\[0\]: `ok` must be true or false, not "yes"$/,
      ],
      [asLines([row({ answers: [{ ...answer, json: 1 }] })]), /has both `text` and `json`/],
      ['x'.repeat(4 * 1024 * 1024 + 1), /line 1: is longer than 4 Mi characters$/],
    ]
    for (const [text, message] of cases) {
      await assert.rejects(read(text, 1 << 16), { code: 'INVALID_INPUT', message })
    }
  })

  test('never fail otherwise, whatever JSON a line holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (some, other) => {
        const given = row({ gold: some, answers: [{ model: 'm', json: other }] })
        for (const value of [some, given]) {
          await read(asLines([Object(value)])).catch((error: unknown) => {
            assert.ok(error instanceof Error && 'code' in error && error.code === 'INVALID_INPUT')
          })
        }
      }),
    )
  })

  test('made for tests can be read', async () => {
    const traces = await read(asLines(madeTraces({ count: 200 })), 1_000)
    const right = traces.filter(({ answers }) => answers[0]?.ok === true).length
    assert.ok(Math.abs(right / 200 - 0.65) < 0.1)
  })
})
