import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { withoutTriggers } from '../../packages/store/src/sqlite/in-tests.ts'
import { type Ran, runCommand } from '../../cli/src/testing/run-command.ts'
import { tried } from './tried.ts'

/** Waits for approval of its plot; holds the user's text. */
const ASKED = 'Show me last 30 days closing price for AAPL and plot it'

/** The part of the text in a damaged cell, which no error may show. */
const KEPT = 'closing price'

interface Damage {
  readonly what: string
  readonly spoil: (folder: string) => void
  readonly commands: readonly (readonly string[])[]
  /** At least one of them must say this. */
  readonly says: RegExp
}

const OF_RUNS = [
  ['runs', 'list', '--all'],
  ['runs', 'show', 'last'],
  ['runs', 'resume', 'last'],
  ['runs', 'answer', 'last', 'once'],
  ['runs', 'fork', 'last', '--at', '1'],
  ['runs', 'cancel', 'last'],
  ['state', 'doctor'],
]

const CHAT_GOES_ON = ['chat', '--continue', 'and now?']

const cell = (table: string, change: string): ((folder: string) => void) => {
  return (folder) => {
    const db = new DatabaseSync(join(folder, '.echelon', 'echelon.db'))
    const { sum } = db.prepare(`select sum from ${table} order by rowid limit 1`).get() ?? {}
    assert.equal(typeof sum, 'number', table)
    db.function('row_sum', { deterministic: true, varargs: true }, () => Number(sum))
    db.function('damaged_row', { varargs: true }, () => null)
    withoutTriggers(db, table, () =>
      db.exec(`update ${table} set ${change}
        where rowid = (select rowid from ${table} order by rowid limit 1)`),
    )
    db.close()
  }
}

const flipped = (name: string, at: (text: string) => number): ((folder: string) => void) => {
  return (folder) => {
    const file = join(folder, '.echelon', name)
    const bytes = readFileSync(file)
    const place = at(bytes.toString('latin1'))
    bytes[place] = (bytes[place] ?? 0) ^ 1
    writeFileSync(file, bytes)
  }
}

const DAMAGES: readonly Damage[] = [
  {
    what: 'a bit of the input of the run',
    spoil: cell('runs', `input_json = char(unicode(input_json) + 1) || substr(input_json, 2)`),
    commands: [...OF_RUNS, CHAT_GOES_ON],
    says: /damaged/,
  },
  {
    what: 'a number of the run that is too large',
    spoil: cell('runs', 'began_at = 9007199254740993'),
    commands: OF_RUNS,
    says: /damaged/,
  },
  {
    what: 'a row of its journal',
    spoil: cell('journal', `entries_json = substr(entries_json, 1, 200)`),
    commands: [...OF_RUNS, CHAT_GOES_ON],
    says: /damaged/,
  },
  {
    what: 'what it asks',
    spoil: cell('requests', `about_json = '{"text":"${KEPT}'`),
    commands: OF_RUNS,
    says: /damaged/,
  },
  {
    what: 'its snapshot',
    spoil: cell('snapshots', `body_json = substr(body_json, 1, 20)`),
    commands: OF_RUNS,
    says: /damaged/,
  },
  {
    what: 'who writes it',
    spoil: cell('leases', `fence = 9007199254740993`),
    commands: [...OF_RUNS, CHAT_GOES_ON],
    says: /damaged/,
  },
  {
    what: 'what was heard of it',
    spoil: cell('events', `body_json = substr(body_json, 1, 20)`),
    commands: [
      ['runs', 'show', 'last', '--events'],
      ['state', 'doctor'],
    ],
    says: /damaged/,
  },
  {
    what: 'a bit of the audit log',
    spoil: flipped('audit.jsonl', (text) => text.indexOf('"run_id"', text.indexOf('\n')) + 12),
    commands: [
      ['audit', 'verify'],
      ['audit', 'show'],
    ],
    says: /broken: .*\b(?:entry|line) 2\b/,
  },
  {
    what: 'a bit of the usage',
    spoil: flipped('usage.jsonl', (text) => text.indexOf('"run_id"')),
    commands: [['costs'], ['audit', 'verify']],
    says: /1 line of \S*usage\.jsonl cannot be read and does not count: 1$/m,
  },
  {
    what: 'bytes of the usage that are no text',
    spoil: (folder) =>
      writeFileSync(join(folder, '.echelon', 'usage.jsonl'), '\0\xff{"\n', 'latin1'),
    commands: [['costs'], ['costs', '--json'], ['audit', 'verify']],
    says: /1 line of \S*usage\.jsonl cannot be read and does not count: 1$/m,
  },
]

suite('the command, where what it keeps is damaged', () => {
  let folder = ''
  let place = ''
  let filled = ''

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'echelon-commands-'))
    place = join(folder, 'place')
    filled = join(folder, 'filled')
    mkdirSync(place)
    const waits = await run(place, 'chat', '--approve', 'later', '--ask', 'plotter', ASKED)
    assert.equal(waits.status, 3, waits.stderr)
    cpSync(place, filled, { recursive: true })
  })

  after(() => rmSync(folder, { recursive: true, force: true }))

  const run = (where: string, ...args: readonly string[]): Promise<Ran> =>
    runCommand(args, where, { env: { XDG_CONFIG_HOME: join(folder, 'own') } })

  test('each command ends with a sentence, and one of them says what is damaged', async (t) => {
    await tried(t, {
      cases: DAMAGES,
      named: ({ what }) => what,
      fast: 2,
      async hold({ spoil, commands, says }) {
        const told: string[] = []
        for (const command of commands) {
          // In the folder where the run was started, since it can be resumed only there.
          rmSync(place, { recursive: true, force: true })
          cpSync(filled, place, { recursive: true })
          spoil(place)
          const ran = await run(place, ...command)
          const named = command.join(' ')
          assert.ok(ran.status !== null && ran.status <= 3, `${named}: ${ran.status}`)
          assert.doesNotMatch(
            ran.stderr,
            /^ {4}at |\w*Error\b.*\n|node:internal/m,
            `${named}: ${ran.stderr}`,
          )
          for (const line of ran.stderr.split('\n')) {
            assert.ok(
              !/damaged|cannot be used/.test(line) || !line.includes(KEPT),
              `${named}: ${line}`,
            )
          }
          assert.notEqual(ran.status, 2, `${named}: damage is no bad usage: ${ran.stderr}`)
          assert.doesNotMatch(ran.stderr, /is on record.*but now/, `${named}: nobody can go on`)
          assert.doesNotMatch(ran.stdout, /\d{9}\.\d\d s/, `${named}: an invalid time`)
          told.push(`${named}: ${ran.status} ${ran.stdout}${ran.stderr}`)
        }
        assert.match(told.join('\n'), says, told.join('\n'))
      },
    })
  })
})
