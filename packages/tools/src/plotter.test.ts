import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isRecord } from '../../echelon/src/core/value/json.ts'
import { validate } from '../../echelon/src/core/schema/schema.ts'
import type { ToolContext } from '../../echelon/src/core/tool/tool.ts'
import { plotter, type PlotterInput, plotTool } from './plotter.ts'

const PLOT: PlotterInput = {
  series: [
    { date: '2018-05-10', close: 190.04 },
    { date: '2018-05-11', close: 188.59 },
  ],
  ma7: [null, null],
}

/** A store that keeps files in memory. */
function memory(signal = new AbortController().signal) {
  const files = new Map<string, Uint8Array>()
  const context: ToolContext = {
    key: 'test',
    signal,
    at: 0,
    timeZone: 'UTC',
    progress: () => undefined,
    artifacts: {
      async write(name, content) {
        files.set(name, content)
        const bytes = content.byteLength
        return { name, path: `/kept/${name}`, mediaType: 'image/png', bytes, sha256: '' }
      },
    },
  }
  return { files, context }
}

const problemOf = async (input: unknown): Promise<string | null> => {
  const checked = await validate(plotter.input, input)
  return checked.ok ? null : checked.message
}

suite('plotter', () => {
  test('[DD-6] [R5.3] returns the path of a PNG file', async () => {
    const { files, context } = memory()
    const result = await plotter.run(PLOT, context)
    const name = 'closing-price_2018-05-10_2018-05-11.png'
    assert.deepEqual(result, { image_path: `/kept/${name}`, name, kind: 'file' })
    assert.deepEqual([...files.keys()], [name])
    assert.equal(Buffer.from(files.get(name) ?? []).toString('latin1', 1, 4), 'PNG')
  })

  test('[DD-16] keeps the title out of the file name', async () => {
    const { files, context } = memory()
    for (const title of ['../../etc/passwd', '/etc/passwd\0', 'C:\\boot.ini', '<script>']) {
      await plotter.run({ ...PLOT, title }, context)
    }
    assert.deepEqual([...files.keys()], ['closing-price_2018-05-10_2018-05-11.png'])
  })

  test('shows its unit', async () => {
    const { files, context } = memory()
    await plotter.run(PLOT, context)
    const [dollars = new Uint8Array()] = files.values()
    await plotTool({ unit: 'Thai baht' }).run(PLOT, context)
    const [baht = new Uint8Array()] = files.values()
    assert.ok(!Buffer.from(dollars).equals(baht))
  })

  test('writes nothing after a cancel', async () => {
    const { files, context } = memory(AbortSignal.abort(new Error('enough')))
    await assert.rejects(async () => plotter.run(PLOT, context), { message: 'enough' })
    assert.equal(files.size, 0)
  })

  test('passes on errors of the store', async () => {
    const { context } = memory()
    const artifacts = { write: () => Promise.reject(new Error('full')) }
    await assert.rejects(async () => plotter.run(PLOT, { ...context, artifacts }), /full/)
  })
})

suite('[DD-16] arguments of plotter', () => {
  const [first, second] = PLOT.series

  test('may include a title', async () => {
    assert.equal(await problemOf(PLOT), null)
    assert.equal(await problemOf({ ...PLOT, title: null }), null)
    assert.equal(await problemOf({ ...PLOT, title: 'AAPL' }), null)
  })

  test('must have as many averages as days', async () => {
    assert.match((await problemOf({ ...PLOT, ma7: [null] })) ?? '', /^ma7: must have 2 values/)
  })

  test('must have ascending days without repeats', async () => {
    const unordered = { ...PLOT, series: [second, first] }
    assert.equal(await problemOf(unordered), 'series.1.date: dates must ascend, each once')
    assert.match((await problemOf({ ...PLOT, series: [first, first] })) ?? '', /ascend/)
  })

  test('must be a limited number of days and numbers', async () => {
    const days = Array.from({ length: 5_001 }, () => first)
    const bad: readonly object[] = [
      { series: [], ma7: [] },
      { series: [{ date: '2018-02-30', close: 1 }], ma7: [null] },
      { series: [{ date: '11 May', close: 1 }], ma7: [null] },
      { series: [{ date: '2018-05-11', close: Infinity }], ma7: [null] },
      { series: [{ date: '2018-05-11', close: 1e10 }], ma7: [null] },
      { series: [first], ma7: [Number.NaN] },
      { series: [first], ma7: ['1'] },
      { series: days, ma7: days.map(() => null) },
      { ...PLOT, title: 'x'.repeat(121) },
      { ...PLOT, path: '/etc/passwd' },
    ]
    for (const input of bad) assert.ok(await problemOf(input), JSON.stringify(input).slice(0, 80))
  })

  test('[DD-6] have the specified names', () => {
    const { properties, required } = plotter.jsonSchema
    assert.ok(isRecord(properties))
    assert.deepEqual(Object.keys(properties), ['series', 'ma7', 'title'])
    assert.deepEqual(required, ['series', 'ma7'])
  })
})
