import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { agrees, benchCalculations, calculationsOf } from './calculations.ts'
import type { Row } from './row.ts'

async function bench(text: string): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'calculations-'))
  try {
    await writeFile(join(folder, 'set.jsonl'), text)
    return await benchCalculations(folder, 'set.jsonl')
  } finally {
    await rm(folder, { recursive: true })
  }
}

suite('calculations of a data set', () => {
  test('are found under several names, and in annotations', () => {
    const half = [{ expr: '48/2', expected: '24' }]
    assert.deepEqual(calculationsOf({ expr: '48/2', value: '24' }), half)
    assert.deepEqual(calculationsOf({ id: 7, Expression: '48/2', result: 24 }), half)
    assert.deepEqual(calculationsOf({ question: 'Half?', Equation: '48/2', Answer: 24 }), half)
    assert.deepEqual(calculationsOf({ calc: '48/2=24' }), half)
    assert.deepEqual(calculationsOf({ input: '<<48/2=24>>' }), half)
    const answer = 'She sold 48/2 = <<48/2=24>>24 clips, so 48+24 = <<48+24=72>>72.\n#### 72'
    const both = [...half, { expr: '48+24', expected: '72' }]
    assert.deepEqual(calculationsOf({ question: 'How many?', answer }), both)
    assert.deepEqual(calculationsOf({ question: 'How many?', answer: '72' }), [])
  })

  test('agree within a millionth, or the last decimal that the data set writes', () => {
    assert.ok(agrees('3.3333333333', '3.33'))
    assert.ok(agrees('0.3', '.3') && agrees('1200', '$1,200') && agrees('0.7', '70%'))
    assert.ok(agrees('0.5', '1/2') && agrees('-5', '-5.0') && agrees('24', '24.'))
    assert.ok(!agrees('3.35', '3.33') && !agrees('3.3333', '3') && !agrees('70', '70%'))
    assert.ok(!agrees('what is it', '1') && !agrees('1', 'what is it'))
  })

  test('are measured by the calculator, and the first wrong one is named', async () => {
    const rows = [
      { expr: '20*.01', value: '.2' },
      { expr: '(1/4)*400', value: 100 },
      { expr: '5*10**2', value: '501' },
      { expr: '1+', value: '1' },
      { expr: 'x', value: 'unknown' },
    ]
    const { seconds, ...row } = await bench(rows.map((each) => JSON.stringify(each)).join('\n'))
    assert.ok(seconds > 0)
    assert.deepEqual(row, {
      set: 'set.jsonl',
      rows: 5,
      counted: 4,
      right: 2,
      note: 'first wrong: 5*10**2 gave 500',
    })
    assert.partialDeepStrictEqual(await bench(JSON.stringify(rows.slice(0, 2))), { right: 2 })
  })

  test('without usable rows raise an error that names the keys', async () => {
    const unusable = { code: 'INVALID_INPUT', message: /its keys are: left, right/ }
    await assert.rejects(bench('{"left":"1+1","right":2}'), unusable)
    await assert.rejects(bench('1+1 = 2'), { code: 'INVALID_INPUT', message: /neither JSON/ })
  })
})
