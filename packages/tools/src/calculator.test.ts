import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ToolError, type ToolContext } from '../../echelon/src/core/tool/tool.ts'
import { validate } from '../../echelon/src/core/schema/schema.ts'
import { calculator } from './calculator.ts'

const context: ToolContext = {
  key: 'test',
  signal: new AbortController().signal,
  at: 0,
  timeZone: 'UTC',
  artifacts: {
    write: () => Promise.reject(new Error('the calculator writes no files')),
  },
  progress: () => undefined,
}

suite('calculator', () => {
  test('[DD-6] takes expr and returns the value as text with kind data', async () => {
    assert.equal(calculator.name, 'calculator')
    assert.deepEqual(await calculator.run({ expr: '0.1 + 0.2' }, context), {
      value: '0.3',
      kind: 'data',
    })
  })

  test('the schema accepts only 1 to 2000 characters', async () => {
    const ok = async (input: unknown): Promise<boolean> =>
      (await validate(calculator.input, input)).ok
    assert.ok(await ok({ expr: '1' }))
    for (const input of [
      { expr: '' },
      { expr: '1'.repeat(2001) },
      { expr: 1 },
      { expr: '1', x: 1 },
    ]) {
      assert.ok(!(await ok(input)))
    }
  })

  test('[DD-16] a hostile expression fails at a limit, and the next call succeeds', async () => {
    const hostile = ['9^9^9^9', 'zeros(20000,20000)', 'isPrime(2^127-1)', 'a=1', 'import("fs")']
    hostile.push('x'.repeat(100_000), `1.${'9'.repeat(900)}^1${'0'.repeat(900)}.5`, '1000!!!!')
    hostile.push('tan('.repeat(60) + '1e100000000' + ')'.repeat(60))
    await calculator.run({ expr: '1' }, context)
    for (const expr of hostile) {
      await assert.rejects(
        async () => calculator.run({ expr }, context),
        (error) => error instanceof ToolError && /^(INVALID_ARGS|TOOL_ERROR)$/.test(error.code),
        expr.slice(0, 60),
      )
    }
    assert.deepEqual(await calculator.run({ expr: '1+1' }, context), { value: '2', kind: 'data' })
  })

  test('a failed calculation does not change later ones', async () => {
    const failing = [
      'sin(1e2000)',
      'tan(1e1500)',
      'cos(1e-2000 + 1e1020)',
      `${'-'.repeat(1900)}sin(1)`,
    ]
    for (const expr of failing) {
      await assert.rejects(
        async () => calculator.run({ expr }, context),
        { code: 'INVALID_ARGS' },
        expr.slice(0, 30),
      )
      const later = ['1/3*3', 'floor(1/3*3)', 'sqrt(2)^2 - 2 + 2/3*3'].map(async (sum) =>
        calculator.run({ expr: sum }, context),
      )
      const values = ['1', '1', '2'].map((value) => ({ value, kind: 'data' }))
      assert.deepEqual(await Promise.all(later), values)
    }
  })

  test('marks an expression without a value as a fault of the value', async () => {
    const fault = async (expr: string): Promise<unknown> => {
      const failed: unknown = await Promise.resolve(calculator.run({ expr }, context)).catch(
        (error: unknown) => error,
      )
      return failed instanceof ToolError ? failed.fault : failed
    }
    assert.equal(await fault('10 / 0'), 'value')
    assert.equal(await fault('ten / 2'), undefined)
  })

  test('200 calls at once', async () => {
    const sums = Array.from({ length: 200 }, async (_, n) =>
      calculator.run({ expr: `${n}+1` }, context),
    )
    const expected = Array.from({ length: 200 }, (_, n) => ({ value: String(n + 1), kind: 'data' }))
    assert.deepEqual(await Promise.all(sums), expected)
  })
})
