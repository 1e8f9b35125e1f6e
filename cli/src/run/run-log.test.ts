import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderFor, runCommand } from '../testing/run-command.ts'

interface Line {
  readonly event: string
  readonly run: string
}

const linesOf = (file: string): readonly Line[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line))

test('[C-24] --log appends a record of each decision of decide and of chat, without message text', async (t) => {
  const folder = folderFor(t)
  const file = join(folder, 'run.log')
  const decided = await runCommand(['decide', '--log', file, 'What is 15 * 23?'], folder)
  assert.equal(decided.status, 0, decided.stderr)
  const first = linesOf(file)
  const events = new Set(first.map(({ event }) => event))
  for (const event of ['run.start', 'H_plan', 'verify', 'act', 'model.end', 'run.end']) {
    assert.ok(events.has(event), event)
  }
  const said = await runCommand(['chat', '--log', file, 'What is 15 * 23?'], folder)
  assert.equal(said.stdout, '15 * 23 = 345\n')
  const all = linesOf(file)
  assert.ok(all.length > first.length)
  assert.equal(new Set(all.map(({ run }) => run)).size, 2)
  assert.doesNotMatch(readFileSync(file, 'utf8'), /15 \* 23|345/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('[C-24] reports an unwritable log before any model call', async (t) => {
  const folder = folderFor(t)
  for (const command of ['decide', 'chat']) {
    const file = join(folder, 'none', 'run.log')
    const { status, stderr } = await runCommand([command, '--log', file, '1 + 1'], folder)
    assert.equal(status, 2)
    assert.match(
      stderr,
      /echelon: the log .*run\.log cannot be written \(ENOENT.*name another file\n/,
    )
  }
})
