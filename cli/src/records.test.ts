import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { UsageRecord } from '@echelon/telemetry'
import { startModelServer } from 'echelon/testing'
import {
  finish,
  folderFor,
  plainEnvironment,
  type Ran,
  runCommand,
  spawned,
} from './testing/run-command.ts'

const MAIN = join(import.meta.dirname, 'main.js')
const EASY = 'What is 15 * 23?'
/** First digits of the digest of the arguments in its plan. */
const ARGS = createHash('sha256').update('{"expr":"15 * 23"}').digest('hex').slice(0, 8)

async function echelon(folder: string, ...args: readonly string[]): Promise<Ran> {
  const ran = await runCommand(args, folder, { env: { TZ: 'UTC' } })
  return { ...ran, stderr: withoutNotice(ran.stderr) }
}

const withoutNotice = (stderr: string): string => stderr.replace(/^offline models answer.*\n/m, '')

/** Every file except the store, which holds conversations in full. */
const recordsIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('echelon.db'))
    .map((name) => join(folder, name))

const DAY = 24 * 60 * 60 * 1000

/** Usage of today, or of tomorrow in case the test runs over midnight. */
const usage = (run_id: string, cost: number | null, daysOn = 0): UsageRecord => ({
  kind: 'usage',
  ts: new Date(Date.now() + daysOn * DAY).toISOString(),
  run_id,
  mode: 'fallback_only',
  finish_reason: 'success',
  verified: true,
  seconds: 1,
  tool_calls: 1,
  act_steps: 1,
  rungs: [
    {
      tier: 'small',
      model: 'openai/tiny',
      llm_calls: 1,
      prompt_tokens: 1234,
      completion_tokens: 56,
      cost,
      known_cost: cost ?? 0,
      unpriced_calls: cost === null ? 1 : 0,
    },
  ],
  total_tokens: 1290,
  cost,
})

function keep(folder: string, ...lines: readonly (UsageRecord | string)[]): void {
  mkdirSync(join(folder, '.echelon'), { mode: 0o700 })
  const written = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(join(folder, '.echelon/usage.jsonl'), `${written.join('\n')}\n`)
}

suite('echelon decide', () => {
  test('[R14.5, R20.4, DD-28] writes private records of a run unless disabled', async (t) => {
    const folder = folderFor(t)
    const none = await echelon(folder, 'decide', '--no-records', '--no-store', EASY)
    assert.equal(none.status, 0)
    assert.ok(!existsSync(join(folder, '.echelon')))
    const { stdout, stderr } = await echelon(folder, 'decide', '--json', EASY)
    assert.equal(stderr, '')
    const { run_id, token_usage } = JSON.parse(stdout)
    assert.equal(statSync(join(folder, '.echelon')).mode & 0o777, 0o700)
    for (const name of ['audit.jsonl', 'usage.jsonl']) {
      const file = join(folder, '.echelon', name)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.ok(!readFileSync(file, 'utf8').includes(EASY))
    }
    const report = JSON.parse((await echelon(folder, 'costs', '--by', 'run', '--json')).stdout)
    const [row] = report.rows
    assert.equal(row.key, run_id)
    assert.equal(row.prompt_tokens + row.completion_tokens, token_usage.total_tokens)
  })

  test('fails if the given records folder is unusable, and continues without the default one', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, '.echelon'), 'a file')
    const named = await echelon(folder, 'decide', '--records', '.echelon', EASY)
    assert.deepEqual([named.status, named.stdout], [2, ''])
    assert.match(named.stderr, /^echelon: records cannot be kept in .*choose another folder\n$/)
    const usual = await echelon(folder, 'decide', '--no-store', EASY)
    assert.equal(usual.status, 0)
    assert.match(usual.stdout, /\n345\nverified/)
    assert.match(usual.stderr, /^echelon: records cannot be kept in .*choose another folder\n$/)
  })

  test('a full disk loses no result, and is reported once', async (t) => {
    const folder = folderFor(t)
    // Only the first entries fit.
    const command = 'ulimit -f 1; exec "$0" "$@"'
    const args = ['-c', command, process.execPath, '--conditions=echelon-source', MAIN]
    const env = plainEnvironment()
    const child = spawn('sh', [...args, 'decide', '--no-store', EASY], { cwd: folder, env })
    const { status, stdout, ...ran } = await finish(child)
    const stderr = withoutNotice(ran.stderr)
    assert.equal(status, 0, stderr)
    assert.match(stdout, /\n345\nverified/)
    assert.match(stderr, /^echelon: the audit log is not complete \(.*too large.*\)\n/i)
    assert.equal(stderr.match(/audit log/g)?.length, 1)
    assert.equal((await echelon(folder, 'audit', 'verify')).status, 0)
  })

  test('[DD-27] warns in one line when the day cost more than the cost alert', async (t) => {
    const folder = folderFor(t)
    keep(folder, usage('a', 1.5), usage('b', null), usage('c', 1.5, 1))
    const below = await echelon(folder, 'decide', '--cost-alert', '2', EASY)
    assert.deepEqual([below.status, below.stderr], [0, ''])
    const above = await echelon(folder, 'decide', '--cost-alert', '1', EASY)
    assert.equal(above.status, 0)
    assert.match(
      above.stderr,
      /^echelon: the runs of [\d-]{10} cost at least \$1\.50, above the cost alert of \$1\.00; [^\n]*\n$/,
    )
    const { stdout } = await echelon(folder, 'audit', 'show')
    assert.equal(stdout.match(/cost_alert/g)?.length, 1)
  })

  test('concurrent runs write one log', async (t) => {
    const folder = folderFor(t)
    const ran = await Promise.all([
      echelon(folder, 'decide', EASY),
      ...[1, 2].map(() => finish(spawned(['decide', EASY], folder))),
    ])
    for (const { status, stderr } of ran) {
      assert.deepEqual([status, withoutNotice(stderr)], [0, ''])
    }
    const { status, stdout } = await echelon(folder, 'audit', 'verify', '--json')
    assert.equal(status, 0, stdout)
    assert.equal(JSON.parse((await echelon(folder, 'costs', '--json')).stdout).total.runs, 3)
  })
})

suite('echelon costs', () => {
  test('[R20.5, DD-27] prints a table with aligned numbers', async (t) => {
    const folder = folderFor(t)
    keep(folder, usage('a', 0.0125), usage('b', null), '{"torn', usage('c', 0.5))
    const { status, stdout, stderr } = await echelon(folder, 'costs')
    assert.equal(status, 0)
    assert.equal(
      stdout,
      [
        'model        runs  calls  tokens in  tokens out         cost',
        'openai/tiny     3      3      3,702         168  ≥ $0.512500',
        '─'.repeat(60),
        'total           3      3      3,702         168  ≥ $0.512500',
        '',
        '0 of 3 decide runs escalated (0 %)',
        '1 call whose cost is unknown (no price, or no usage reported)',
        'days in UTC',
        '',
      ].join('\n'),
    )
    assert.equal(
      stderr,
      'echelon: 1 line of .echelon/usage.jsonl cannot be read and does not count: 3\n',
    )
    for (const by of ['model', 'tier', 'day', 'run']) {
      const shown = (await echelon(folder, 'costs', '--by', by)).stdout
      for (const line of shown.split('\n')) assert.ok(line.length <= 80, line)
    }
  })

  test('says why the runs of all models exceed the total', async (t) => {
    const folder = folderFor(t)
    const one = usage('a', 0.5)
    const rungs = one.rungs.flatMap((rung) => [rung, { ...rung, model: 'openai/huge' }])
    keep(folder, { ...one, rungs })
    const note = /\na run that asked several models is counted for each, and once in the total\n/
    assert.match((await echelon(folder, 'costs')).stdout, note)
    assert.doesNotMatch((await echelon(folder, 'costs', '--by', 'day')).stdout, note)
  })

  test('[DD-27] reports evaluation runs separately', async (t) => {
    const folder = folderFor(t)
    keep(folder, usage('a', 0.5), { ...usage('b', 0.25), purpose: 'evaluation' })
    const notes = async (): Promise<readonly string[]> =>
      (await echelon(folder, 'costs')).stdout.split('\n').slice(5, -2)
    assert.deepEqual(await notes(), [
      '0 of 1 decide runs escalated (0 %) · $0.500000 a run on average',
      'including $0.250000 in 1 run of evaluations',
    ])
    rmSync(join(folder, '.echelon'), { recursive: true })
    keep(folder, { ...usage('b', null), purpose: 'evaluation' })
    assert.deepEqual(await notes(), [
      'including an unknown cost in 1 run of evaluations',
      '1 call whose cost is unknown (no price, or no usage reported)',
    ])
  })

  test('names calls that are charged at their worst case', async (t) => {
    const folder = folderFor(t)
    const record = usage('a', 0.5)
    const rungs = record.rungs.map((one) => ({ ...one, assumed_calls: 2 }))
    keep(folder, { ...record, rungs })
    const { stdout } = await echelon(folder, 'costs')
    assert.ok(
      stdout.includes(
        '\n2 calls without plausible usage: charged at the worst case where a limit reserved one; where no limit was set, its cost is unknown\n',
      ),
      stdout,
    )
    const { stdout: json } = await echelon(folder, 'costs', '--json')
    assert.match(json, /"assumed_calls": ?2/)
  })

  test('--by run lists the newest runs, and sums earlier ones in one line', async (t) => {
    const folder = folderFor(t)
    keep(folder, ...Array.from({ length: 23 }, (_, index) => usage(`run-${index + 1}`, 0.5)))
    const linesOf = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await echelon(folder, 'costs', '--by', 'run', ...args)).stdout.split('\n')
    const lines = await linesOf()
    assert.match(lines[1] ?? '', /^… and 3 earlier +3 +3,702 +168 +\$1\.5000$/)
    assert.match(lines[2] ?? '', /^run-4 /)
    assert.match(lines[21] ?? '', /^run-23 /)
    assert.match(lines[23] ?? '', /^total +23 .*\$11\.5000$/)
    const [, before, newest] = await linesOf('--last', '1')
    assert.match(before ?? '', /^… and 22 earlier /)
    assert.match(newest ?? '', /^run-23 /)
    assert.equal(JSON.parse((await linesOf('--json')).join('\n')).rows.length, 23)
  })

  test('[R20.5] prints the same as JSON', async (t) => {
    const folder = folderFor(t)
    keep(folder, usage('a', 0.25), usage('b', null), '[]')
    const { stdout } = await echelon(folder, 'costs', '--json', '--timezone', 'Asia/Bangkok')
    const { total, by, time_zone, unreadable, alert } = JSON.parse(stdout)
    assert.deepEqual([by, time_zone, alert], ['model', 'Asia/Bangkok', null])
    assert.deepEqual([total.cost, total.known_cost, total.unpriced_calls], [null, 0.25, 1])
    assert.deepEqual(unreadable, [{ line: 3, reason: 'it is not a usage record' }])
  })

  test('[DD-27] exits with 1 and a sentence when today cost more than the cost alert', async (t) => {
    const folder = folderFor(t)
    keep(folder, usage('old', 50, -3), usage('a', 1.5), usage('b', 1.5, 1))
    const above = await echelon(folder, 'costs', '--cost-alert', '1')
    assert.equal(above.status, 1)
    assert.match(above.stdout, /^model/)
    assert.match(above.stderr, /^echelon: the runs of .* cost \$1\.50, above .* of \$1\.00; .*\n$/)
    const below = await echelon(folder, 'costs', '--cost-alert', '2')
    assert.deepEqual([below.status, below.stderr], [0, ''])
    const json = await echelon(folder, 'costs', '--cost-alert', '1', '--json')
    assert.equal(JSON.parse(json.stdout).alert.known_cost, 1.5)
  })

  test('says what to do without records', async (t) => {
    const folder = folderFor(t)
    for (const args of [['costs'], ['audit', 'verify'], ['audit', 'show']]) {
      const { status, stdout } = await echelon(folder, ...args)
      assert.equal(status, 0)
      assert.match(stdout, /^There are no records yet: decide a task with echelon decide, .*\.\n$/)
    }
    assert.ok(!existsSync(join(folder, '.echelon')))
  })
})

suite('echelon audit', () => {
  test('[DD-28] verify tells an intact log from a tampered one', async (t) => {
    const folder = folderFor(t)
    await echelon(folder, 'decide', EASY)
    const whole = await echelon(folder, 'audit', 'verify')
    assert.equal(whole.status, 0)
    const [, head = ''] = /^intact: 6 entries\.\nhead ([0-9a-f]{64})\n$/.exec(whole.stdout) ?? []
    await echelon(folder, 'decide', EASY)
    assert.equal((await echelon(folder, 'audit', 'verify', '--head', head)).status, 0)

    const path = join(folder, '.echelon/audit.jsonl')
    const log = readFileSync(path, 'utf8')
    const lines = log.split('\n')
    writeFileSync(path, log.replace('"tool":"calculator"', '"tool":"calendar"'))
    const changed = await echelon(folder, 'audit', 'verify')
    assert.equal(changed.status, 1)
    assert.match(changed.stdout, /^broken: line 2 is not an entry as written: it was changed\.\n/)
    const [, last = ''] = /"hash":"([0-9a-f]{64})"/.exec(lines[11] ?? '') ?? []
    writeFileSync(path, `${lines.slice(0, 8).join('\n')}\n`)
    assert.equal((await echelon(folder, 'audit', 'verify')).status, 0)
    const cut = await echelon(folder, 'audit', 'verify', '--head', last, '--json')
    assert.equal(cut.status, 1)
    assert.equal(JSON.parse(cut.stdout).broken.what, 'missing')
    rmSync(path)
    assert.equal((await echelon(folder, 'audit', 'verify', '--head', head)).status, 1)
  })

  test('[DD-28] verify reports runs that only usage records mention', async (t) => {
    const folder = folderFor(t)
    keep(folder, usage('a', 1), usage('b', 1))
    const path = join(folder, '.echelon/audit.jsonl')
    const says = /^broken: the usage records contain 2 runs without an entry in the audit log: /
    for (const make of [() => undefined, () => writeFileSync(path, '')]) {
      make()
      const { status, stdout } = await echelon(folder, 'audit', 'verify')
      assert.equal(status, 1)
      assert.match(stdout, says)
      assert.equal(stdout.split('\n').length, 2, 'one line')
      const shown = await echelon(folder, 'audit', 'show')
      assert.equal(
        shown.stdout,
        '.echelon/audit.jsonl holds no entries; echelon audit verify says whether it should.\n',
      )
    }
    await echelon(folder, 'decide', EASY)
    const begun = await echelon(folder, 'audit', 'verify')
    assert.equal(begun.status, 1)
    assert.match(begun.stdout, says)
    assert.match(begun.stdout, /\nintact in the log: 6 entries\n$/)
  })

  test('[DD-28] records and log hold no text of the task', async (t) => {
    const folder = folderFor(t)
    const asked = 'What date is 45 days after March 3, 2024?'
    await echelon(folder, 'decide', asked, '--log', 'run.log', '--cost-alert', '0')
    await echelon(folder, 'decide', 'Is Zanzibar nice?', '--log', 'run.log')
    const input = { query: '45 days after Quetzaltenango' }
    await using server = await startModelServer([
      { type: 'reply', toolCalls: [{ tool: 'calendar', input }] },
      { type: 'reply', text: ['No idea about Quetzaltenango.'] },
    ])
    const model = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    await echelon(folder, 'chat', ...model, '--log', 'run.log', 'When is Quetzaltenango?')
    const files = [join(folder, 'run.log'), ...recordsIn(join(folder, '.echelon'))]
    assert.ok(files.some((file) => file.endsWith('audit.jsonl')))
    assert.ok(files.some((file) => file.endsWith('usage.jsonl')))
    for (const file of files) {
      const kept = readFileSync(file, 'utf8')
      assert.doesNotMatch(kept, /45 days|March 3|April|Zanzibar|Quetzaltenango/i, file)
    }
    const { stdout } = await echelon(folder, 'audit', 'verify')
    assert.match(stdout, /^intact: /)
  })

  test('[R14.5] show lists what was done, by run', async (t) => {
    const folder = folderFor(t)
    const first = JSON.parse((await echelon(folder, 'decide', '--json', EASY)).stdout)
    await echelon(folder, 'decide', 'What is 6 * 7?')
    const { stdout } = await echelon(folder, 'audit', 'show', '--run', first.run_id.slice(0, 8))
    const [heading, ...lines] = stdout.trim().split('\n')
    assert.match(heading ?? '', new RegExp(`^run ${first.run_id}  \\d{4}-\\d\\d-\\d\\d \\+00:00$`))
    const time = String.raw`\d\d:\d\d:\d\d`
    for (const [index, line] of [
      'decide    run_started  hrm_small_then_escalate, models ["offline/small","offline/big"]',
      `planner   plan         offline/small, actions [{"args":{"characters":18,"sha256":"${ARGS}"},"kind":"actio…`,
      `executor  tool_called  calculator {"characters":18,"sha256":"${ARGS}"}`,
      'verifier  verified     metric 1',
      'gate      decided      stop, metric 1',
      'decide    run_ended    success, act_steps 1, tool_calls 1, verified true',
    ].entries()) {
      const number = String(index + 1)
      assert.match(lines[index] ?? '', new RegExp(`^${number}  ${time}  `))
      assert.ok(lines[index]?.endsWith(line), lines[index])
    }
    assert.equal(lines.length, 6)
    const newest = (await echelon(folder, 'audit', 'show', '--last', '2')).stdout
    const [left, ...rest] = newest.trim().split('\n')
    assert.equal(left, '… 10 earlier entries; --last N or --run ID shows them')
    assert.equal(rest.length, 3)
    const own = await echelon(folder, 'audit', 'show', '--run', first.run_id, '--last', '5')
    assert.match(own.stdout, /^… 1 earlier entry; a larger --last shows it\n/)
    assert.match((await echelon(folder, 'audit', 'show', '--run', 'zz')).stdout, /has no run zz;/)
  })

  test('log content cannot control the terminal', async (t) => {
    const folder = folderFor(t)
    const model = 'openai-compatible/\u001b[31mred\u202e'
    const args = ['--small', model, '--base-url', 'http://127.0.0.1:1/v1', '--max-seconds', '1']
    await echelon(folder, 'decide', ...args, EASY)
    for (const command of [['audit', 'show'], ['costs']]) {
      const { stdout } = await echelon(folder, ...command)
      assert.match(stdout, /red/)
      assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u202e'))
    }
  })

  const MISTAKES: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an invalid day', ['costs', '--since', '2026-02-30'], /must be a date/],
    ['no date', ['costs', '--since', 'yesterday'], /must be a date/],
    ['an unknown group', ['costs', '--by', 'colour'], /Allowed choices are model, tier, day, run/],
    ['an unknown zone', ['costs', '--timezone', 'Mars/Base'], /IANA name such as/],
    ['a number of models', ['costs', '--last', '3'], /add --by run or --by day/],
    ['an alert that is not a number', ['costs', '--cost-alert', 'x'], /number above 0/],
    [
      'an alert without records',
      ['decide', '--no-records', '--cost-alert', '1', EASY],
      /leave out --no-records/,
    ],
    ['an invalid head', ['audit', 'verify', '--head', 'abc'], /64 hexadecimal digits/],
    ['an invalid count', ['audit', 'show', '--last', '0'], /whole number of at least 1/],
    ['an unknown part', ['audit', 'check'], /unknown command 'check'/],
    ['costs of a missing folder', ['costs', '--records', 'not'], /no folder not; name/],
    ['a missing log', ['audit', 'verify', '--records', 'not'], /no folder not; name/],
    ['missing entries', ['audit', 'show', '--records', 'not'], /no folder not; name/],
    ['a log that is a folder', ['audit', 'verify', '--records', 'odd'], /cannot be read/],
  ]
  for (const [what, args, says] of MISTAKES) {
    test(`${what} is one line on stderr and exit status 2`, async (t) => {
      const folder = folderFor(t)
      mkdirSync(join(folder, 'odd/audit.jsonl'), { recursive: true })
      const { status, stdout, stderr } = await echelon(folder, ...args)
      assert.deepEqual([status, stdout], [2, ''])
      assert.match(stderr, says)
      assert.match(stderr, /^echelon: [^\n]*\n$/)
    })
  }
})
