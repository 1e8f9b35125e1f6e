import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecord } from 'echelon/internal/value'
import { generated } from 'echelon/testing'
import { agree, asProgram, type Attempt } from 'echelon/verify'
import { calculator } from '../calculator.ts'

test('an opinion that is a program is computed by the calculator', async () => {
  const attempt: Attempt = {
    task: {
      question: '3 boxes of 12 eggs, 4 break: how many are whole?',
      wanted: { kind: 'number' },
    },
    answer: { type: 'text', text: '3 × 12 = 36, less 4 is 32.' },
    made: [],
  }
  const verifier = agree({ ways: [asProgram('small')], atMost: 1, need: 2 })
  const opinion = generated('{"expr":"3 * 12 - 4"}')
  const ask = verifier.verify(attempt, [opinion])
  assert.ok(ask.verdict === 'ask' && ask.effects[0]?.type === 'call-tools')
  const [call] = ask.effects[0].calls
  assert.ok(call !== undefined)
  assert.equal(call.tool, calculator.name)
  const expr = isRecord(call.input) ? call.input['expr'] : undefined
  assert.ok(typeof expr === 'string')
  const context = {
    key: 'run:0.0',
    signal: AbortSignal.timeout(30_000),
    at: 0,
    timeZone: 'UTC',
    artifacts: { write: () => Promise.reject(new Error('nothing is kept')) },
    progress: () => undefined,
  }
  const value: unknown = await calculator.run({ expr }, context)
  assert.deepEqual(value, { value: '32', kind: 'data' })
  const outcome = { type: 'ok', value: { value: '32' } } as const
  const judgment = verifier.verify(attempt, [
    opinion,
    { type: 'tools-called', outcomes: [outcome] },
  ])
  assert.ok(judgment.verdict === 'scored' && judgment.features['agree.across'] === 1)
})
