import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { startModelServer } from 'echelon/testing'
import { folderFor, type Ran, runCommand, runWithSignal } from '../testing/run-command.ts'

const THIS = import.meta.filename
const KEY = 'correct-horse-battery-1'

/** `echelon decide` in a folder, with a key only if given. */
const decideIn = (folder: string, args: readonly string[], key?: string): Promise<Ran> =>
  runCommand(['decide', '--today', '2025-09-08', ...args], folder, {
    env: key === undefined ? {} : { ECHELON_API_KEY: key },
  })

const TASK = 'What is 15 * 23?'
const SHIRT = 'A shirt costs $40 and is 25% off; what do three cost?'
const RECORD = ['--record-models', 'calls.jsonl']
const REPLAY = ['--replay-models', 'calls.jsonl']

const plan = (expr: string): { type: 'reply'; text: [string] } => ({
  type: 'reply',
  text: [JSON.stringify({ actions: [{ tool: 'calculator', args: { expr } }], cannot: null })],
})

test('[C-34] records a run, and replays it without server or key', async (t) => {
  const folder = folderFor(t)
  const models = ['--small', 'openai-compatible/tiny', '--big', 'openai-compatible/large']
  const server = await startModelServer([
    { type: 'status', status: 503, message: `${KEY} is busy` },
    plan('15 + 23'),
    plan('15 * 24'),
    plan('15 * 23'),
  ])
  const asked = ['--base-url', server.baseUrl, ...models, ...RECORD, TASK]
  const recorded = await decideIn(folder, asked, KEY)
  server.assertComplete()
  await server.close()
  assert.deepEqual([recorded.status, recorded.stderr], [0, ''])
  const file = join(folder, 'calls.jsonl')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!readFileSync(file, 'utf8').includes(KEY))
  const replayed = await decideIn(folder, [...models, ...REPLAY, TASK])
  assert.deepEqual(replayed, {
    ...recorded,
    stdout: recorded.stdout.replaceAll(KEY, '[redacted:secret]'),
  })
  assert.match(replayed.stdout, /\n345\nverified · .*tiny 3× · .*large 1×/)
})

test('[C-34] a request that was not recorded is one message and exit status 2', async (t) => {
  const folder = folderFor(t)
  assert.equal((await decideIn(folder, [...RECORD, SHIRT])).status, 0)
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [['--seed', '7', SHIRT], /is call 1, which differs in\n {2}seed\n.*nothing\n.*7\n$/],
    [['--today', '2025-09-09', SHIRT], /line 1\n {4}recorded .*-08.*\n {4}asked .*-09.*\n$/],
    [[SHIRT.replace('25', '30')], /25% off; what do three cost\?"\n.* 30% off; what do three/],
    [['--small', 'offline/big', SHIRT], /of offline\/big\. Repeat .* is call 2, which/],
    [['--small', 'offline/tiny', SHIRT], /has no model offline\/tiny; .*it holds offline/],
  ]
  for (const [args, says] of rows) {
    const { status, stdout, stderr } = await decideIn(folder, [...REPLAY, ...args])
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, says)
    assert.equal(stderr.match(/echelon: /g)?.length, 1)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})

test('reports unused answers and a truncated recording', async (t) => {
  const folder = folderFor(t)
  const models = ['--small', 'openai-compatible/tiny', '--big', 'openai-compatible/large']
  await using server = await startModelServer(['6', '7', '8', '9'].map((n) => plan(`6 * ${n}`)))
  const asked = ['--base-url', server.baseUrl, ...models, ...RECORD, 'What is 6 + 7?']
  assert.equal((await decideIn(folder, asked)).status, 1)
  appendFileSync(join(folder, 'calls.jsonl'), '{"kind":"ca')
  // With the right answer given, the run ends at the first match.
  const sooner = [...models, ...REPLAY, '--gold', '36', 'What is 6 + 7?']
  const { status, stderr } = await decideIn(folder, sooner)
  assert.equal(status, 0)
  const [cut, unused, ...more] = stderr.trimEnd().split('\n')
  assert.match(cut ?? '', /^echelon: line \d+ of calls\.jsonl is not complete, since its recording/)
  const [tiny, large] = ['openai-compatible/tiny', 'openai-compatible/large']
  assert.equal(
    unused,
    `echelon: calls.jsonl holds answers that were never requested: call 2 of ${tiny}, call 3 of ${large}, call 4 of ${large}`,
  )
  assert.deepEqual(more, [])
})

const MISTAKES: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['both at once', [...RECORD, ...REPLAY], /cannot be combined/],
  ['a missing tape', REPLAY, /calls\.jsonl cannot be read .*ENOENT/],
  ['an invalid tape', ['--replay-models', THIS], /line 1 is not the beginning of a recording/],
  ['a recording over another file', ['--record-models', THIS], /is not empty; record to a new/],
  ['a place that cannot be', ['--record-models', '/nowhere/x'], /choose another place/],
]

for (const [what, args, says] of MISTAKES) {
  test(`${what} is one line on stderr and exit status 2`, async (t) => {
    const { status, stdout, stderr } = await decideIn(folderFor(t), [...args, TASK])
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, says)
  })
}

test('a failure before the first call leaves a usable file', async (t) => {
  const folder = folderFor(t)
  const wrong = await decideIn(folder, [...RECORD, '--big', 'ofline/big', TASK])
  assert.equal(wrong.status, 2)
  assert.equal((await decideIn(folder, [...RECORD, TASK])).status, 0)
})

test('records a run up to the Ctrl-C that ends it', async (t) => {
  const folder = folderFor(t)
  await using server = await startModelServer([{ type: 'silence' }])
  const models = ['--small', 'openai-compatible/slow']
  const args = ['--today', '2025-09-08', '--base-url', server.baseUrl, ...models, ...RECORD, TASK]
  const when = (): boolean => server.requests.length > 0
  const ended = await runWithSignal(['decide', ...args], folder, { signal: 'SIGINT', when })
  assert.equal(ended.status, 1)
  const lines = readFileSync(join(folder, 'calls.jsonl'), 'utf8').trimEnd().split('\n')
  assert.deepEqual(JSON.parse(lines.at(-1) ?? '').outcome, { type: 'given-up' })
  const { status, stderr } = await decideIn(folder, [...models, ...REPLAY, TASK])
  assert.equal(status, 2)
  assert.match(stderr, /call 1\); the last of them was aborted, and its run may have ended there/)
})
