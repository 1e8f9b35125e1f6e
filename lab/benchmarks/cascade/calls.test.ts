import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { callLadder } from './call-ladder.ts'
import { CALLERS, readCalls } from './call-rows.ts'
import { callFigures } from './calls.ts'

async function folderWith(t: TestContext, rows: readonly unknown[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'calls-'))
  t.after(() => rm(folder, { recursive: true }))
  const lines = rows.map((row) => JSON.stringify(row)).join('\n')
  await writeFile(join(folder, 'esc_bfcl_calls.jsonl'), lines)
  return folder
}

/** A question about a root, where the small model is wrong if it takes another number. */
const row = (number: number, small: number): unknown => {
  const answer = (value: number, ok: boolean): unknown => ({
    calls: [{ name: 'math_root', arguments: { of: value } }],
    ok,
    input_tokens: 100,
    output_tokens: 20,
  })
  return {
    question: `What is the square root of ${number}?`,
    tools: [
      {
        name: 'math.root',
        description: 'The square root of a number',
        parameters: { type: 'dict', properties: { of: { type: 'float' } }, required: ['of'] },
      },
    ],
    answers: {
      [CALLERS.small]: answer(small, small === number),
      [CALLERS.opinion]: answer(number, true),
      [CALLERS.big]: answer(number, true),
    },
  }
}

const ROWS = Array.from({ length: 60 }, (_, at) => row(100 + at, at % 4 === 0 ? 7 : 100 + at))

test('tools are read as JSON Schema, under the names that models call', async (t) => {
  const rows = await readCalls(await folderWith(t, [row(9, 9)]))
  assert.deepEqual(rows?.[0]?.attempt.task.tools, [
    {
      name: 'math_root',
      description: 'The square root of a number',
      jsonSchema: { type: 'object', properties: { of: { type: 'number' } }, required: ['of'] },
    },
  ])
})

test('what the evidence speaks against escalates within the budget', async (t) => {
  const lines = (await callFigures(await folderWith(t, ROWS))).split('\n')
  const accuracyOf = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(name))?.match(/ (1?\.\d{3})/)?.[1]
  // A quarter is wrong, and the small model alone has the rest.
  assert.equal(accuracyOf(CALLERS.small), '.750')
  for (const name of ['call, agree', 'agree', 'call alone, fitted', 'ideal']) {
    const line = lines.find((one) => one.startsWith(name)) ?? ''
    assert.match(line, / 1\.000 ± /, name)
  }
})

test('the recorded models run as a cascade, and a question that is not theirs fails', async (t) => {
  const folder = await folderWith(t, ROWS)
  const line = (await callFigures(folder))
    .split('\n')
    .find((one) => /through cascadeModel/.test(one))
  assert.match(line ?? '', / 1\.000 +25\.0 % +\S+ +- +135 calls$/)
  const { small } = await callLadder((await readCalls(folder)) ?? [])
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Which?' }] }]
  await assert.rejects(async () => small.model.doGenerate({ prompt }), { code: 'UNRECORDED_CALL' })
})

test('an absent set is skipped, and one of another form is rejected', async (t) => {
  assert.match(await callFigures(join(tmpdir(), 'no-such-folder')), /absent: skipped/)
  await assert.rejects(callFigures(await folderWith(t, [{ id: 1 }])), { code: 'INVALID_INPUT' })
})
