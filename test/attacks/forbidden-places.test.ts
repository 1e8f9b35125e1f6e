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
import type { Ran } from '../../cli/src/testing/run-command.ts'
import { AnotherUser, isRoot, NOBODY } from './another-user.ts'

/** Started by the first test that needs it. */
let user: Promise<AnotherUser | undefined> | undefined
after(async () => (await user)?.stop())

const UNREADABLE = 'another user cannot read the code here'

/** The folder of the user who runs the command, with the data of one chat. */
function kept(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-forbidden-'))
  t.after(() => {
    spawnSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  return folder
}

async function run(folder: string, ...args: readonly string[]): Promise<Ran> {
  const ran = await (await user)?.run(folder, args)
  assert.ok(ran !== undefined)
  assert.doesNotMatch(ran.stderr, /^ {4}at |node:internal|errno/m, args.join(' '))
  return ran
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

/** An unreadable file must not count as empty, least of all an audit log to verify. */
async function tellsOfAll(folder: string): Promise<void> {
  for (const args of ALL) {
    const { status, stdout, stderr } = await run(folder, ...args)
    const said = `${args.join(' ')}: ${stdout}${stderr}`
    assert.ok(status === 1 || status === 2, said)
    assert.match(stderr, /^echelon: \S+ cannot be (?:checked|read) \((?:EACCES|ENOTDIR).*\n$/, said)
    assert.equal(stdout, '', said)
  }
}

const canRead = async (): Promise<boolean> => (await (user ??= AnotherUser.start())) !== undefined

const HELLO = ['chat', 'What is 15 * 23?'] as const

suite('places that are forbidden, or in the way', () => {
  test('an unreadable file is reported in a sentence and not changed', async (t) => {
    const folder = kept(t)
    if (!(await canRead())) return t.skip(UNREADABLE)
    assert.equal((await run(folder, ...HELLO)).status, 0)
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
      const { status, stderr } = await run(folder, ...args)
      chmodSync(file(name), 0o600)
      assert.ok(status === 1 || status === 2, `${args.join(' ')}: ${status}`)
      assert.match(stderr, says, args.join(' '))
      assert.deepEqual(readFileSync(file(name)), before)
    }
    chmodSync(file('echelon.db'), 0o000)
    const answered = await run(folder, ...HELLO)
    assert.match(answered.stdout, /345/)
    assert.match(answered.stderr, /echelon\.db cannot be used .*this run is not stored/)
  })

  test('files of another user are not used, and a closed folder is reported', async (t) => {
    const folder = kept(t)
    if (!(await canRead())) return t.skip(UNREADABLE)
    if (!isRoot) return t.skip('a file can be given away by root alone')
    assert.equal((await run(folder, ...HELLO)).status, 0)
    for (const name of ['echelon.db', 'audit.jsonl', 'usage.jsonl']) {
      const path = join(folder, '.echelon', name)
      chownSync(path, 0, 0)
      chmodSync(path, 0o666)
      const before = readFileSync(path)
      const { status, stdout, stderr } = await run(folder, ...HELLO)
      assert.equal(status, 0, name)
      assert.match(stdout, /345/, name)
      assert.match(stderr, /belongs to (?:somebody else|another user)/, name)
      assert.deepEqual(readFileSync(path), before, name)
      chownSync(path, NOBODY, NOBODY)
      chmodSync(path, 0o600)
    }
    chmodSync(join(folder, '.echelon'), 0o000)
    await tellsOfAll(folder)
  })

  test('a file in place of the folder .echelon is reported in a sentence, and stays', async (t) => {
    const folder = kept(t)
    if (!(await canRead())) return t.skip(UNREADABLE)
    const path = join(folder, '.echelon')
    writeFileSync(path, 'mine')
    const chat = await run(folder, ...HELLO)
    assert.match(chat.stderr, /\.echelon/)
    const decided = await run(folder, 'decide', 'What is 15 * 23?')
    assert.match(decided.stderr, /\.echelon/)
    await tellsOfAll(folder)
    assert.equal(readFileSync(path, 'utf8'), 'mine')
    assert.ok(!existsSync(join(folder, 'copy.db')))
  })
})
