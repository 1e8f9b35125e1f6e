import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { git, repository } from './repository.ts'
import { secrets } from './secrets.ts'

// Joined when the tests run, so that this file holds none.
const AWS = ['AKIA', '3QZ7RT5NWXMB2KDL'].join('')
const GITHUB = ['ghp', 'q8Zr2Lw9Xt4Vb7Nc1Md6Kf3Hj5Gs0Pa8Ye2u'].join('_')
const OFF = ['secretlint', 'disable'].join('-')
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

const subjects = ({ findings }: { findings: readonly { subject: string }[] }): readonly string[] =>
  findings.map(({ subject }) => subject).toSorted()

test('[DD-15] a planted secret fails the scan, which names its place and never the secret', async (t) => {
  const root = repository(t, {
    'src/aws.ts': `export const region = 'eu'\nexport const key = '${AWS}'\n`,
    'deep/er/id_rsa': KEY,
    'README.md': '# Nothing to see\n',
  })
  writeFileSync(join(root, 'new.txt'), `token: ${GITHUB}\n`)
  const outcome = await secrets(root).look()
  assert.equal(outcome.status, 'fail')
  assert.deepEqual(subjects(outcome), ['deep/er/id_rsa:1:1', 'new.txt:1:8', 'src/aws.ts:2:21'])
  assert.deepEqual(outcome.scanned, { files: 4, binary: 0 })
  const words = JSON.stringify(outcome)
  for (const secret of [AWS, GITHUB, KEY.split('\n')[3] ?? '', root]) {
    assert.ok(!words.includes(secret))
  }
})

test('[DD-15] a tree without secrets passes; ignored and deleted files are not scanned', async (t) => {
  const root = repository(t, { 'a.ts': 'export {}\n', 'gone.ts': AWS, '.gitignore': 'local\n' })
  rmSync(join(root, 'gone.ts'))
  writeFileSync(join(root, 'local'), GITHUB)
  symlinkSync('local', join(root, 'link'))
  const { status, scanned, findings } = await secrets(root).look()
  assert.deepEqual([status, scanned, findings], ['pass', { files: 2, binary: 0 }, []])
})

test('scans a tracked file even if .gitignore names it', async (t) => {
  const root = repository(t, { '.env': `KEY=${AWS}\n` })
  writeFileSync(join(root, '.gitignore'), '.env\n')
  assert.deepEqual(subjects(await secrets(root).look()), ['.env:1:5'])
})

test('[DD-15] no comment, ignore file or settings file in the tree disables the scan', async (t) => {
  const root = repository(t, {
    'a.ts': `// ${OFF}\nexport const key = '${AWS}'\n`,
    '.secretlintignore': 'a.ts\n',
    '.secretlintrc.json': '{ "rules": [] }\n',
  })
  assert.deepEqual(subjects(await secrets(root).look()), [
    '.secretlintignore',
    '.secretlintrc.json',
    'a.ts',
  ])
})

test('allows an exact value, but not one that only begins with it', async (t) => {
  const allowed = ['https://ann:hunter2', '@example.com'].join('')
  const root = repository(t, { 'a.md': `${allowed}\n`, 'b.md': `${allowed}.evil.org\n` })
  assert.deepEqual(subjects(await secrets(root).look()), ['b.md:1:1'])
  git(root, 'rm', '--quiet', '--force', 'b.md')
  const { status, exceptions = [] } = await secrets(root).look()
  assert.equal(status, 'pass')
  assert.ok(exceptions.length > 0 && exceptions.every(({ reason }) => reason !== ''))
})
