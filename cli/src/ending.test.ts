import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type LocalModelServer, startModelServer } from 'echelon/testing'
import {
  finish,
  folderFor,
  type Ran,
  runCommand,
  runWithSignal,
  spawned,
} from './testing/run-command.ts'
import { noTerminal, spawnedOnTerminal } from './testing/spawned-terminal.ts'
import { beginOnTerminal, onTerminal } from './testing/terminal.ts'

const CTRL_C = '\u0003'
const SUM = 'What is 15 * 23?'

const modelOf = ({ baseUrl }: LocalModelServer): readonly string[] => [
  '--model',
  'openai-compatible/m',
  '--base-url',
  baseUrl,
]

const run = (folder: string, ...args: string[]): Promise<Ran> => runCommand(args, folder)

/** Sends a signal to a command while its model does not answer. */
const endedBy = (
  signal: NodeJS.Signals,
  args: readonly string[],
  { server, folder }: { readonly server: LocalModelServer; readonly folder: string },
): Promise<Ran> => runWithSignal(args, folder, { signal, when: () => server.requests.length > 0 })

describe('a signal at a question', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
    test(
      `leaves the turn waiting on ${signal}, and says how it is answered`,
      { skip: noTerminal },
      async (t) => {
        const folder = folderFor(t)
        const first = spawnedOnTerminal(['chat', '--ask', 'calculator'], { folder })
        await first.type('> ', `${SUM}\r`)
        await first.seen('ne[v]er? ')
        const { status, screen } = await first.kill(signal)
        assert.equal(status, 3, screen)
        assert.doesNotMatch(screen, /cancel/)
        const told =
          /waits for your approval of calculator\n[^]*answer from any terminal:\n {2}echelon (runs answer \w{8} once)\n$/
        const [, answer = ''] = told.exec(screen) ?? assert.fail(screen)
        const { stdout: listed } = await run(folder, 'runs', 'list')
        assert.match(listed, /waits for your approval of calculator/)
        const answered = await run(folder, ...answer.split(' '))
        assert.deepEqual(
          [answered.status, answered.stdout],
          [0, '15 * 23 = 345\n'],
          answered.stderr,
        )
      },
    )
  }

  test('Ctrl-C leaves the turn waiting too, and continuing it in a pipe denies nothing', async (t) => {
    const folder = folderFor(t)
    const keys = [
      ['> ', `${SUM}\r`],
      ['ne[v]er? ', CTRL_C],
    ] as const
    const { status, screen } = await onTerminal(['chat', '--ask', 'calculator'], keys, { folder })
    assert.equal(status, 3, screen)
    assert.doesNotMatch(screen, /cancel/)
    assert.match(screen, /answer from any terminal:\n {2}echelon runs answer \w{8} once\n$/)
    for (const more of [[], ['and now?']]) {
      const ran = await run(folder, 'chat', '--continue', '--', ...more)
      assert.deepEqual([ran.status, ran.stdout], [3, ''], ran.stderr)
      assert.match(ran.stderr, /waits for your approval of calculator\n[^]*runs answer \w{8} once/)
      assert.equal(/was not taken/.test(ran.stderr), more.length > 0)
    }
    const never = await run(folder, 'chat', '--continue', '--approve', 'never')
    assert.equal(never.status, 0, never.stderr)
    assert.match((await run(folder, 'runs', 'list')).stdout, /ended|stop|done/)
  })

  test('Ctrl-C cancels the turn without a store', async (t) => {
    const keys = [
      ['ne[v]er? ', CTRL_C],
      ['canceled', ''],
    ] as const
    const args = ['chat', '--no-store', '--ask', 'calculator', SUM]
    const { status, screen } = await onTerminal(args, keys, { folder: folderFor(t) })
    assert.equal(status, 1, screen)
    assert.match(screen, /canceled\n$/)
  })

  test('cancels the turn without a store', async (t) => {
    const args = ['chat', '--no-store', '--ask', 'calculator', SUM]
    const first = beginOnTerminal(args, { folder: folderFor(t) })
    await first.seen('ne[v]er? ')
    const { status, screen } = await first.tell('SIGTERM')
    assert.equal(status, 143, screen)
    assert.match(screen, /asked to stop: canceling …\ncanceled\n$/)
  })
})

describe('a signal at the prompt', () => {
  for (const command of ['chat', 'assist', 'support']) {
    test(`ends ${command} with the status of the signal`, async (t) => {
      const first = beginOnTerminal([command], { folder: folderFor(t) })
      await first.seen('> ')
      const { status, screen } = await first.tell('SIGTERM')
      assert.equal(status, 143, screen)
    })
  }
})

describe('a signal during work', { timeout: 120_000 }, () => {
  test('cancels a turn, and exits with the status of the signal', async (t) => {
    const folder = folderFor(t)
    await using server = await startModelServer([{ type: 'silence', after: ['I am thinking'] }])
    const args = ['chat', '--json', ...modelOf(server)]
    const child = spawned(args, folder)
    const ended = finish(child, 'Hello\nAre you there?\n')
    while (server.requests.length === 0 && child.exitCode === null) await setTimeout(20)
    child.kill('SIGTERM')
    const ran = await ended
    assert.equal(ran.status, 143, ran.stderr)
    assert.equal(JSON.parse(ran.stdout).reason, 'canceled')
    assert.match(ran.stderr, /asked to stop: canceling …\n.*canceled\n$/)
    assert.match((await run(folder, 'runs', 'list')).stdout, /^All runs have ended/)
  })

  test('ends a case with a partial result', async (t) => {
    const folder = folderFor(t)
    await using server = await startModelServer([{ type: 'silence' }])
    const given = ['--base-url', server.baseUrl, '--small', 'openai-compatible/slow', '--json']
    const ran = await endedBy('SIGHUP', ['decide', ...given, SUM], { server, folder })
    assert.equal(ran.status, 129, ran.stderr)
    assert.equal(JSON.parse(ran.stdout).finish_reason, 'canceled')
  })

  for (const command of ['assist', 'support']) {
    test(`cancels a turn of ${command}`, async (t) => {
      await using server = await startModelServer([{ type: 'silence' }])
      const args = [command, ...modelOf(server), 'hm the wuggle of it though']
      const ran = await endedBy('SIGTERM', args, { server, folder: folderFor(t) })
      assert.equal(ran.status, 143, ran.stderr)
      assert.match(ran.stderr, /asked to stop: canceling …\n/)
    })
  }
})
