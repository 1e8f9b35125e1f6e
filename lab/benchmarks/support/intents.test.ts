import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { readDataFile } from '../tools/data-file.ts'
import { intentFigures, printIntentFigures } from './intents.ts'
import { labeledRows, type LabeledRows } from './labeled-rows.ts'

async function folderOf(
  context: TestContext,
  files: Readonly<Record<string, readonly object[]>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'intents-'))
  context.after(() => rm(folder, { recursive: true }))
  for (const [name, rows] of Object.entries(files)) {
    await writeFile(join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'))
  }
  return folder
}

async function parted(context: TestContext, rows: readonly object[]): Promise<LabeledRows> {
  const data = await readDataFile(await folderOf(context, { 'x.jsonl': rows }), 'x.jsonl')
  assert.ok(data)
  return labeledRows(data)
}

const VERBS = ['play', 'find', 'sing', 'hear', 'start', 'want', 'love', 'queue', 'try', 'skip']
const rowsOf = (what: string, label: string, split: string): readonly object[] =>
  VERBS.map((verb) => ({ text: `${verb} ${what}`, intent: label, split }))

suite('a data set of intents', () => {
  test('is split as it says, under several names', async (context) => {
    const rows = await parted(context, [
      { utterance: 'a', Category: 'x', SET: 'train' },
      { utterance: 'b', Category: 'x', SET: 'validation' },
      { utterance: 'c', Category: 'oos', SET: 'test' },
      { utterance: 'd', Category: 'anything', SET: 'oos_test' },
      { utterance: '', Category: 'x', SET: 'test' },
    ])
    assert.deepEqual(
      [rows.train.length, rows.validate.length, rows.test.map(({ label }) => label)],
      [1, 1, [null, null]],
    )
  })

  test('without test rows holds out every fifth row of each intent', async (context) => {
    const all = ['x', 'y'].flatMap((label) =>
      Array.from({ length: 11 }, (_, n) => ({ text: `${label}${n}`, label, split: 'train' })),
    )
    const { train, test } = await parted(context, all)
    assert.deepEqual(
      test.map(({ text }) => text),
      ['x4', 'x9', 'y4', 'y9'],
    )
    assert.equal(train.length, 18)
  })

  test('without intents reports its keys', async (context) => {
    await assert.rejects(parted(context, [{ colour: 'red' }]), {
      message: /no row of x\.jsonl has a text and its intent .* its keys are: colour/,
    })
  })
})

suite('[S-9] the figures of understanding', () => {
  test('report accuracy, rejections, and accuracy on the surest rows', async (context) => {
    const folder = await folderOf(context, {
      'intent_clinc150.jsonl': [
        ...rowsOf('the song', 'music', 'train'),
        ...rowsOf('a lamp', 'light', 'train'),
        ...rowsOf('xylographs', 'oos', 'train'),
        { text: 'queue the song', intent: 'music', split: 'test' },
        { text: 'skip a lamp', intent: 'light', split: 'test' },
        { text: 'quantum chromodynamics', intent: 'oos', split: 'test' },
      ],
    })
    const figures = await intentFigures(folder)
    const [embedded, plain, anchor, absent] = figures
    assert.deepEqual(
      [embedded?.reader, embedded?.accuracy, embedded?.outOfScope, embedded?.surest],
      ['embedded', 1, 1, 1],
    )
    assert.deepEqual([plain?.reader, plain?.accuracy], ['plain, here', 1])
    assert.deepEqual([anchor?.accuracy, anchor?.outOfScope, anchor?.surest], [0.911, 0.371, 0.964])
    assert.deepEqual([absent?.set, absent?.note], ['intent_banking77.jsonl', 'absent: skipped'])
    const printed = printIntentFigures(figures)
    assert.match(printed, /intent_clinc150\.jsonl +embedded +1\.000 +1\.000 +1\.000/)
    assert.match(printed, /intent_banking77\.jsonl +anchor +0\.904 +- +0\.956/)
  })
})
