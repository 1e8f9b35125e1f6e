import assert from 'node:assert/strict'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { folderFor, runCommand } from './testing/run-command.ts'

const SUM = 'What is 15 * 23?'

suite('files that a command writes', () => {
  test('--log and --trace append to their own files, and refuse any other', async (t) => {
    const folder = folderFor(t)
    const run = (...args: readonly string[]) => runCommand([...args, SUM], folder)
    writeFileSync(join(folder, 'notes.md'), 'Buy milk.\n')
    const all = ['--record', 'record', '--record-models', 'models', '--log', 'log']
    assert.equal((await run('decide', ...all, '--trace', 'trace')).status, 0)
    assert.equal((await run('decide', '--log', 'log', '--trace', 'trace')).status, 0)
    for (const [command, option, file] of [
      ['decide', '--log', 'notes.md'],
      ['decide', '--log', 'trace'],
      ['chat', '--log', 'models'],
      ['decide', '--trace', 'notes.md'],
      ['decide', '--trace', 'log'],
      ['decide', '--trace', 'record'],
    ] as const) {
      const before = readFileSync(join(folder, file), 'utf8')
      const { status, stdout, stderr } = await run(command, option, file)
      assert.deepEqual([status, stdout], [2, ''])
      assert.equal(
        stderr,
        `echelon: ${file} was not written by ${option}; name a new file, or one from an earlier ${option}\n`,
      )
      assert.equal(readFileSync(join(folder, file), 'utf8'), before)
    }
  })

  test('refuses two options that name the same file, under any path', async (t) => {
    const folder = folderFor(t)
    symlinkSync('there', join(folder, 'link'))
    writeFileSync(join(folder, 'there'), '')
    for (const [command, ...options] of [
      ['decide', '--log', 'a', '--trace', './a'],
      ['decide', '--record', 'there', '--trace', 'link'],
      ['decide', '--record', 'a', '--record-models', join(folder, 'a')],
      ['chat', '--record', 'a', '--log', 'a'],
    ] as const) {
      const ran = await runCommand([command, ...options, SUM], folder)
      assert.deepEqual([ran.status, ran.stdout], [2, ''])
      assert.match(
        ran.stderr,
        /^echelon: --\S+ and --\S+ both name .*; give each a file of its own\n$/,
      )
    }
    assert.equal(readFileSync(join(folder, 'there'), 'utf8'), '')
  })
})
