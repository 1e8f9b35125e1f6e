import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { finish, folderFor, spawned } from './testing/run-command.ts'

/** Each runs in the folder that the previous ones have filled. */
const COMMANDS: readonly (readonly string[])[] = [
  ['decide', '--record', 'run.jsonl', 'What is 15 * 23?'],
  ['replay', 'run.jsonl'],
  ['chat', 'What is 6 * 7?'],
  ['assist', 'Should I move to Berlin?'],
  ['knowledge', 'add', 'notes.md'],
  ['backup', 'copy.db'],
  ['tools', 'list'],
]

test('commands exit by themselves when spawned', async (t) => {
  const folder = folderFor(t)
  writeFileSync(join(folder, 'notes.md'), '# Penguins\n\nThey swim.\n')
  for (const args of COMMANDS) {
    const { status, stdout, stderr } = await finish(spawned(args, folder))
    assert.equal(status, 0, `${args.join(' ')}\n${stderr}`)
    assert.notEqual(stdout, '', args.join(' '))
  }
})
