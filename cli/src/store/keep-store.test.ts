import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { startModelServer } from 'echelon/testing'
import { setTimeout } from 'node:timers/promises'
import { finish, folderFor, type Ran, runCommand, spawned } from '../testing/run-command.ts'

const EASY = 'What is 15 * 23?'
const PLAN = {
  type: 'reply',
  text: [
    JSON.stringify({ actions: [{ tool: 'calculator', args: { expr: '15 * 23' } }], cannot: null }),
  ],
} as const

const OFFLINE = /^(?:offline models answer|an offline model answers).*\n/m

async function echelon(folder: string, ...args: readonly string[]): Promise<Ran> {
  const ran = await runCommand(args, folder)
  return { ...ran, stderr: ran.stderr.replace(OFFLINE, '') }
}

const runsIn = async (folder: string): Promise<readonly { readonly id: string }[]> =>
  JSON.parse((await echelon(folder, 'runs', 'list', '--all', '--json')).stdout)

suite('storing runs', () => {
  test('[DD-28] uses a private file in the folder, unless storing is off', async (t) => {
    const folder = folderFor(t)
    assert.deepEqual(await echelon(folder, 'runs', 'list'), {
      status: 0,
      stdout:
        'There are no runs yet: decide a task with echelon decide, talk with echelon chat, or name a file with --store.\n',
      stderr: '',
    })
    await echelon(folder, 'decide', '--no-store', '--no-records', EASY)
    assert.ok(!existsSync(join(folder, '.echelon')))
    const { run_id } = JSON.parse((await echelon(folder, 'decide', '--json', EASY)).stdout)
    assert.equal(statSync(join(folder, '.echelon')).mode & 0o777, 0o700)
    assert.equal(statSync(join(folder, '.echelon/echelon.db')).mode & 0o777, 0o600)
    assert.deepEqual(
      (await runsIn(folder)).map(({ id }) => id),
      [run_id],
    )
    const { stdout } = await echelon(folder, 'runs', 'show', run_id.slice(0, 6))
    assert.match(stdout, /decide · done\n.*offline\/small.*\nWhat is 15 \* 23\?\n/)
    assert.match(stdout, /calls calculator .*✓ calculator/)
    assert.match(stdout, /\ntook 1 model call · 1 tool call · \d+ tokens · \$0\.00\n$/)
    const fork = await echelon(folder, 'runs', 'fork', 'last', '--at', '2')
    assert.equal(fork.status, 0, fork.stderr)
    assert.match(fork.stderr, /^the fork is the run \w{8}\n$/)
    assert.match(fork.stdout, /\n345\nverified/)
    // The plan comes from the original run.
    assert.doesNotMatch(fork.stdout, /^plan/m)
    assert.equal((await runsIn(folder)).length, 2)
  })

  test('uses the configured file, or none', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'config.yaml'), 'telemetry:\n  store_file: kept/own.db\n')
    await echelon(folder, 'decide', EASY)
    assert.ok(existsSync(join(folder, 'kept/own.db')))
    assert.equal((await runsIn(folder)).length, 1)
    writeFileSync(join(folder, 'config.yaml'), 'telemetry:\n  store_file: null\n')
    await echelon(folder, 'decide', EASY)
    assert.ok(!existsSync(join(folder, '.echelon/echelon.db')))
  })

  test('fails if the given file is unusable, and continues without the default one', async (t) => {
    const folder = folderFor(t)
    mkdirSync(join(folder, '.echelon'))
    const file = join(folder, '.echelon/echelon.db')
    writeFileSync(file, 'no database, but notes of somebody')
    const named = await echelon(folder, 'decide', '--store', '.echelon/echelon.db', EASY)
    assert.deepEqual([named.status, named.stdout], [2, ''])
    assert.match(named.stderr, /^echelon: .*echelon\.db cannot be used .*nothing was changed.*\n$/)
    const usual = await echelon(folder, 'decide', EASY)
    assert.equal(usual.status, 0)
    assert.match(
      usual.stderr,
      /^echelon: .*echelon\.db cannot be used .*; this run is not stored\n$/,
    )
    assert.equal(readFileSync(file, 'utf8'), 'no database, but notes of somebody')
    const missing = await echelon(folder, 'runs', 'list', '--store', 'none.db')
    assert.deepEqual(
      [missing.status, missing.stderr],
      [
        2,
        'echelon: there is no file none.db; name a store, or leave --store out for the default\n',
      ],
    )
  })

  test('does not store recorded runs', async (t) => {
    const folder = folderFor(t)
    const both = await echelon(folder, 'chat', '--record', 'r.jsonl', '--store', 's.db', 'Hi')
    assert.equal(both.status, 2)
    assert.match(both.stderr, /--store keeps runs that can be resumed, but those of --record/)
    await echelon(folder, 'decide', '--record', 'r.jsonl', EASY)
    assert.ok(!existsSync(join(folder, '.echelon/echelon.db')))
  })

  test('[DD-22] --idempotency-key: several processes run the task only once', async (t) => {
    const folder = folderFor(t)
    const args = ['decide', '--idempotency-key', 'order-7', '--json', EASY]
    const all = await Promise.all([
      runCommand(args, folder),
      ...[1, 2, 3].map(() => finish(spawned(args, folder))),
    ])
    const results = all.map(({ stdout }) => JSON.parse(stdout))
    assert.deepEqual(new Set(results.map(({ answer }) => answer)), new Set(['345']))
    assert.equal(new Set(results.map(({ run_id }) => run_id)).size, 1)
    assert.equal((await runsIn(folder)).length, 1)
    const said = all.map(({ stderr }) => stderr.replace(OFFLINE, ''))
    const kept = `echelon: stored under this key, from run ${results[0].run_id.slice(0, 8)}\n`
    assert.deepEqual(said.toSorted(), ['', kept, kept, kept])
    const other = await echelon(folder, 'decide', '--idempotency-key', 'order-7', 'What is 1 + 1?')
    assert.deepEqual([other.status, other.stdout], [2, ''])
    assert.match(
      other.stderr,
      /^echelon: the idempotency key order-7 was used with another input; .*\n$/,
    )
    const without = await echelon(folder, ...args, '--no-store')
    assert.equal(without.status, 2)
    assert.match(without.stderr, /^echelon: --idempotency-key needs a store; /)
  })

  test('[C-31] a killed case resumes in another process, with its models', async (t) => {
    const folder = folderFor(t)
    await using server = await startModelServer([{ type: 'silence' }, PLAN])
    const models = ['--small', 'openai-compatible/s', '--big', 'openai-compatible/b']
    const child = spawned(['decide', ...models, '--base-url', server.baseUrl, EASY], folder)
    const ended = finish(child)
    while (server.requests.length === 0) await setTimeout(10)
    child.kill('SIGKILL')
    await ended
    assert.match((await echelon(folder, 'runs', 'list')).stdout, /decide {2}was interrupted/)
    const resumed = await echelon(folder, 'runs', 'resume', 'last')
    assert.deepEqual([resumed.status, server.requests.length], [0, 2], resumed.stderr)
    assert.match(resumed.stdout, /\n345\nverified · openai-compatible\/s 2×/)
  })
})
