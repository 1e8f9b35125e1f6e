import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { folderFor, type Ran, runCommand } from '../testing/run-command.ts'
import { onTerminal } from '../testing/terminal.ts'
import { describeConversations } from './conversations.ts'

const run = (folder: string, ...args: string[]): Promise<Ran> => runCommand(args, folder)

describe('conversations that are kept', { timeout: 120_000 }, () => {
  test('are listed, the last one first, and one of them goes on', async (t) => {
    const folder = folderFor(t)
    const none = await run(folder, 'chat', '--list')
    assert.match(none.stdout, /^There are no conversations yet; echelon chat begins one\.\n$/)
    await run(folder, 'chat', 'What is 15 * 23?')
    await run(folder, 'chat', '--approve', 'later', '--ask', 'calculator', 'What is 7 * 6?')
    await run(folder, 'support', 'hello')
    const { status, stdout } = await run(folder, 'chat', '--list')
    assert.equal(status, 0)
    const row = /^(\w{8}) +\d+ \w+ +(\d) turns? +(.*)$/gm
    const rows = [...stdout.matchAll(row)].map(([, , turns, words]) => [turns, words])
    // One turn waits for its approval, and is said all the same.
    assert.deepEqual(rows, [
      ['0', 'What is 7 * 6?'],
      ['1', 'What is 15 * 23?'],
    ])
    const listed = JSON.parse((await run(folder, 'chat', '--list', '--json')).stdout)
    const { id } = listed[1]
    const lines = '/conversations\nWhat is 1 + 1?\n'
    const more = await runCommand(['chat', '--continue', id.slice(0, 8)], folder, { input: lines })
    assert.match(
      more.stdout,
      new RegExp(`\\n${id.slice(0, 8)} .*\\(this one\\) What is 15 \\* 23\\?\n`),
    )
    assert.match(more.stdout, /1 \+ 1 = 2\n$/)
    const unknown = await run(folder, 'chat', '--continue', 'nope', '--', 'hello')
    assert.match(unknown.stderr, /there is no conversation nope, as echelon chat --list says/)
    const both = await run(folder, 'chat', '--list', '--no-store')
    assert.equal(both.status, 2)
  })

  test('are those of which an exchange is kept, or whose turn goes on', async (t) => {
    const folder = folderFor(t)
    const dead = ['--model', 'openai-compatible/m', '--base-url', 'http://127.0.0.1:9/v1']
    await run(folder, 'chat', ...dead, 'This fails.')
    const none = await run(folder, 'chat', '--list')
    assert.match(none.stdout, /^There are no conversations yet/)
    await run(folder, 'chat', 'What is 15 * 23?')
    await run(folder, 'chat', ...dead, 'This fails too.')
    const listed = JSON.parse((await run(folder, 'chat', '--list', '--json')).stdout)
    assert.deepEqual(
      listed.map(({ turns, begins }: { turns: number; begins: string }) => [turns, begins]),
      [[1, 'What is 15 * 23?']],
    )
    // The last one can continue, and a failed turn in it removes nothing.
    const more = await runCommand(['chat', '--continue', ...dead], folder, {
      input: 'And this fails.\n',
    })
    assert.equal(more.status, 1)
    const again = JSON.parse((await run(folder, 'chat', '--list', '--json')).stdout)
    assert.deepEqual([again.length, again[0].id], [1, listed[0].id])
  })

  test('show their last exchange when they go on', async (t) => {
    const folder = folderFor(t)
    const lines = 'What is 15 * 23?\nWhat is 7 * 6?\n'
    await runCommand(['chat'], folder, { input: lines })
    const { status, screen } = await onTerminal(
      ['chat', '--continue'],
      [
        ['goes on after', ''],
        ['7 * 6 = 42', ''],
        ['> ', 'exit\r'],
      ],
      { folder },
    )
    assert.equal(status, 0, screen)
    assert.match(screen, /Ctrl-D ends\n\n> What is 7 \* 6\?\n7 \* 6 = 42\n\n> /)
    assert.doesNotMatch(screen, /345/)
  })

  test('fit a narrow terminal', () => {
    const all = [
      { id: 'aaaaaaaa-1', changedAt: 0, turns: 12, begins: 'A question that is much too long' },
      { id: 'aaaaaaaa-2', changedAt: 0, turns: 1, begins: 'Another' },
    ]
    const shown = describeConversations(all, { columns: 40, now: 3_600_000 }).split('\n')
    assert.deepEqual(shown.slice(0, 2), [
      'aaaaaaaa-1  1 h  12 turns  A question t…',
      'aaaaaaaa-2  1 h    1 turn  Another',
    ])
  })
})
