import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { asLines, madeTraces } from 'echelon/internal/testing'
import { folderFor, runCommand } from '../cli/src/testing/run-command.ts'

const GUIDES = join(import.meta.dirname, '../docs/guides')

test('a guide that uses the command first explains how to run it in a clone', () => {
  const using = globSync('*.md', { cwd: GUIDES })
    .map((name) => ({ name, text: readFileSync(join(GUIDES, name), 'utf8') }))
    .filter(({ text }) => /(?:^|`)echelon [a-z]/m.test(text))
  assert.ok(using.length > 0)
  for (const { name, text } of using) {
    const [, first = ''] = text.split('\n\n')
    assert.match(first, /npm start --silent --/, name)
  }
})

test('the command of the cascade guide finds a threshold in traces and writes what the guide names', async (t) => {
  const page = readFileSync(join(GUIDES, 'cascade.md'), 'utf8')
  const [, words = ''] = /^echelon (tune .*)$/m.exec(page) ?? []
  const folder = folderFor(t)
  writeFileSync(join(folder, 'traces.jsonl'), asLines(madeTraces({ count: 600 })))
  const { status, stdout } = await runCommand(words.split(' '), folder)
  assert.equal(status, 0, stdout)
  assert.match(stdout, /PASS: accuracy at least 90\.0 %/)
  assert.deepEqual(globSync('*', { cwd: join(folder, 'tuned') }).sort(), [
    'gate.json',
    'report.html',
    'tune.json',
  ])
})
