import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { openKnowledge, openStore } from '@echelon/store'
import { openRecords } from '@echelon/telemetry'
import { openReadOnly } from '../../packages/store/src/sqlite/file/read-only.ts'
import { finish, spawned } from '../../cli/src/testing/run-command.ts'
import { FILE_READERS } from './project-files/readers.ts'
import { tried } from './tried.ts'

const KINDS = [
  'pipe',
  'socket',
  'folder',
  'endless device',
  'terminal',
  'link to itself',
  'file of 100 GB',
]
const CASES = KINDS.flatMap((kind) => FILE_READERS.map((reader) => ({ kind, ...reader })))

/** A reader that waits for a pipe would never return by itself. */
const TIMEOUT_MS = 60_000
const LONGEST_MS = 2000
const MOST_MB = 600

suite(
  'give a pipe, a device or an endless file for a file of a project',
  { skip: process.platform === 'win32' },
  () => {
    test('each reader rejects it at once, in a sentence', async (t) => {
      const lines = await readAll()
      await tried(t, {
        cases: CASES,
        named: ({ name, kind }) => `${name}, ${kind}`,
        fast: CASES.length,
        hold({ name, kind, isLenient, isRaw }) {
          const line = lines.find((one) => one.name === name && one.kind === kind)
          assert.ok(line !== undefined, 'is waited for')
          assert.ok(line.ms < LONGEST_MS, `took ${line.ms} ms`)
          assert.ok(isRaw === true || line.isOurs, `is no sentence: ${line.problem}`)
          assert.doesNotMatch(line.problem ?? '', /undefined|not known why|\n/)
          if (isLenient !== true && !isStore(name, kind)) assert.notEqual(line.problem, null)
        },
      })
      const memory =
        lines.find(({ residentMb }) => residentMb !== undefined)?.residentMb ?? Infinity
      t.diagnostic(`${Math.round(memory)} MB`)
      assert.ok(memory < MOST_MB, `took ${memory} MB`)
    })
  },
)

test(
  'writers of files do not wait for a pipe without a reader',
  { skip: process.platform === 'win32' },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'echelon-pipe-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    execFileSync('/usr/bin/mkfifo', [join(folder, 'pipe')])
    await tried(t, {
      cases: ['--record', '--trace'],
      named: (option) => option,
      async hold(option) {
        const child = spawned(['decide', '1+1', '--no-records', option, 'pipe'], folder)
        const late = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
        const { status, stderr } = await finish(child)
        clearTimeout(late)
        assert.deepEqual([status, /pipe cannot be written/.test(stderr)], [2, true], stderr)
      },
    })
  },
)

test('nothing that stores data follows a .echelon link that leads elsewhere', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-linked-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const elsewhere = join(folder, 'elsewhere')
  const linked = join(folder, '.echelon')
  mkdirSync(elsewhere)
  const there = await openStore(join(elsewhere, 'there.db'))
  await there.close()
  const before = readdirSync(elsewhere)
  symlinkSync(elsewhere, linked)
  const users: Readonly<Record<string, () => unknown>> = {
    store: () => openStore(join(linked, 'echelon.db')),
    knowledge: () => openKnowledge(join(linked, 'knowledge.db')),
    records: () => openRecords({ folder: linked }),
    'a store that is only read': () => openReadOnly(join(linked, 'there.db')),
  }
  await tried(t, {
    cases: Object.entries(users),
    named: ([name]) => name,
    hold: ([, open]) =>
      assert.rejects(async () => open(), /is a symbolic link, which is not followed/),
  })
  assert.deepEqual(readdirSync(elsewhere), before)
})

/** Lines are read one by one, however long the file is. */
const isStore = (name: string, kind: string): boolean =>
  kind === 'file of 100 GB' && name === 'a record of runs'

interface Line {
  readonly name: string
  readonly kind: string
  readonly problem: string | null
  readonly isOurs: boolean
  readonly ms: number
  readonly residentMb?: number
}

async function readAll(): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-files-'))
  const program = join(import.meta.dirname, 'project-files/read-all.ts')
  const child = spawn(process.execPath, ['--conditions=echelon-source', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  try {
    const said = await text(child.stdout)
    return said
      .trim()
      .split('\n')
      .map((line): Line => JSON.parse(line))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
