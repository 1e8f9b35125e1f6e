import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test, type TestContext } from 'node:test'
import { plainEnvironment } from '../../cli/src/testing/run-command.ts'

const MAIN = join(import.meta.dirname, '../../cli/src/main.js')

/** Nobody: root may read and write whatever it likes, and is told nothing. */
const NOBODY = 65_534

const isRoot = process.getuid?.() === 0

/** Compiled modules of all commands here: another user may not write where others keep theirs. */
const compiled = mkdtempSync(join(tmpdir(), 'echelon-compiled-'))
if (isRoot) chownSync(compiled, NOBODY, NOBODY)
after(() => rmSync(compiled, { recursive: true, force: true }))

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder of whoever runs the command, with what is kept of one chat. */
function kept(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-forbidden-'))
  t.after(() => {
    spawnSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  return folder
}

function run(folder: string, ...args: readonly string[]): Ran {
  const own = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'own'), TMPDIR: folder }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=echelon-source', MAIN, ...args],
    {
      cwd: folder,
      env: plainEnvironment({ ...own, NODE_COMPILE_CACHE: compiled }),
      encoding: 'utf8',
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    },
  )
  assert.doesNotMatch(stderr, /^ {4}at |node:internal|errno/m, args.join(' '))
  return { status, stdout, stderr }
}

const ALL = [
  ['runs', 'list'],
  ['costs'],
  ['audit', 'verify'],
  ['audit', 'show'],
  ['knowledge', 'list'],
  ['backup', 'copy.db'],
  ['state', 'doctor'],
  ['chat', '--list'],
]

/** What cannot be looked at is not empty, least of all a log that is to be verified. */
function tellsOfAll(folder: string): void {
  for (const args of ALL) {
    const { status, stdout, stderr } = run(folder, ...args)
    const said = `${args.join(' ')}: ${stdout}${stderr}`
    assert.ok(status === 1 || status === 2, said)
    assert.match(
      stderr,
      /^echelon: \S+ cannot be (?:looked at|read) \((?:EACCES|ENOTDIR).*\n$/,
      said,
    )
    assert.equal(stdout, '', said)
  }
}

const canRead = (folder: string): boolean => run(folder, '--version').status === 0

const HELLO = ['chat', 'What is 15 * 23?'] as const

suite('places that are forbidden, or in the way', () => {
  test('a file that may not be read is told in a sentence, and nothing is done to it', (t) => {
    const folder = kept(t)
    if (!canRead(folder)) return t.skip('another user cannot read the code here')
    assert.equal(run(folder, ...HELLO).status, 0)
    const file = (name: string): string => join(folder, '.echelon', name)
    const rows: readonly (readonly [name: string, args: readonly string[], says: RegExp])[] = [
      ['echelon.db', ['runs', 'list'], /^echelon: .*echelon\.db cannot be used .*\n$/],
      ['echelon.db', ['state', 'doctor'], /^echelon: .*echelon\.db cannot be used .*\n$/],
      ['echelon.db', ['backup', 'copy.db'], /^echelon: .*echelon\.db cannot be used .*\n$/],
      ['usage.jsonl', ['costs'], /^echelon: .*usage\.jsonl cannot be read .*\n$/],
      ['audit.jsonl', ['audit', 'verify'], /^echelon: .*audit\.jsonl cannot be read .*\n$/],
      ['audit.jsonl', ['audit', 'show'], /^echelon: .*audit\.jsonl cannot be read .*\n$/],
    ]
    for (const [name, args, says] of rows) {
      const before = readFileSync(file(name))
      chmodSync(file(name), 0o000)
      const { status, stderr } = run(folder, ...args)
      chmodSync(file(name), 0o600)
      assert.ok(status === 1 || status === 2, `${args.join(' ')}: ${status}`)
      assert.match(stderr, says, args.join(' '))
      assert.deepEqual(readFileSync(file(name)), before)
    }
    chmodSync(file('echelon.db'), 0o000)
    const answered = run(folder, ...HELLO)
    assert.match(answered.stdout, /345/)
    assert.match(answered.stderr, /echelon\.db cannot be used .*nothing of this is kept/)
  })

  test('files of somebody else are not used, and a folder that is closed is told', (t) => {
    const folder = kept(t)
    if (!canRead(folder)) return t.skip('another user cannot read the code here')
    if (!isRoot) return t.skip('a file can be given away by root alone')
    assert.equal(run(folder, ...HELLO).status, 0)
    for (const name of ['echelon.db', 'audit.jsonl', 'usage.jsonl']) {
      const path = join(folder, '.echelon', name)
      chownSync(path, 0, 0)
      chmodSync(path, 0o666)
      const before = readFileSync(path)
      const { status, stdout, stderr } = run(folder, ...HELLO)
      assert.equal(status, 0, name)
      assert.match(stdout, /345/, name)
      assert.match(stderr, /belongs to (?:somebody else|another user)/, name)
      assert.deepEqual(readFileSync(path), before, name)
      chownSync(path, NOBODY, NOBODY)
      chmodSync(path, 0o600)
    }
    chmodSync(join(folder, '.echelon'), 0o000)
    tellsOfAll(folder)
  })

  test('a file in the place of the folder .echelon is told in a sentence, and stays', (t) => {
    const folder = kept(t)
    if (!canRead(folder)) return t.skip('another user cannot read the code here')
    const path = join(folder, '.echelon')
    writeFileSync(path, 'mine')
    const chat = run(folder, ...HELLO)
    assert.match(chat.stderr, /\.echelon/)
    const decided = run(folder, 'decide', 'What is 15 * 23?')
    assert.match(decided.stderr, /\.echelon/)
    tellsOfAll(folder)
    assert.equal(readFileSync(path, 'utf8'), 'mine')
    assert.ok(!existsSync(join(folder, 'copy.db')))
  })
})
