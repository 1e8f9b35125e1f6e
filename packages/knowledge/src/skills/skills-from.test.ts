import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import { after, test } from 'node:test'
import { guardedSchema } from '../../../echelon/src/core/schema/guarded-schema.ts'
import { defineTool } from '../../../echelon/src/core/tool/tool.ts'
import * as fc from 'fast-check'
import { EchelonError } from '../../../echelon/src/core/value/error.ts'
import { readMatter } from './read-matter.ts'
import type { Skill } from './skill.ts'
import { type SkillProblem, skillsFrom } from './skills-from.ts'

const EXAMPLES = join(import.meta.dirname, '../../../../examples/skills')

const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

/** A new folder with these files. */
function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-skills-'))
  folders.push(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

const skill = (name: string, more = '', body = 'Do it.'): string =>
  `---\nname: ${name}\ndescription: does it\n${more}---\n${body}\n`

async function readAll(
  folder: string,
): Promise<{ readonly skills: readonly Skill[]; readonly problems: readonly SkillProblem[] }> {
  const problems: SkillProblem[] = []
  const skills = await skillsFrom(folder, { onProblem: (problem) => problems.push(problem) })
  return { skills, problems }
}

/** The problem of the one skill `it` in a folder, without the folder's path. */
async function problemOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = folderWith(files)
  const { skills, problems } = await readAll(folder)
  assert.deepEqual(skills, [])
  assert.equal(problems.length, 1)
  return String(problems[0]?.message).replaceAll(`${folder}${sep}`, '')
}

test('[C-26] folders in the Agent Skills format become skills', async () => {
  const [invoice, notes, ...others] = await skillsFrom(EXAMPLES)
  assert.deepEqual(others, [])
  assert.equal(invoice?.name, 'invoice-check')
  assert.equal(invoice?.license, 'MIT')
  assert.equal(invoice?.compatibility, 'the script needs Node')
  assert.deepEqual(invoice?.metadata, { author: 'the accounts desk', version: '2' })
  assert.deepEqual(invoice?.allowedTools, ['book_payment'])
  assert.deepEqual(invoice?.files, ['references/terms.md', 'scripts/total.mjs'])
  assert.match((await invoice?.instructions()) ?? '', /^# Checking an invoice\n.*ask for\.$/s)
  assert.equal(notes?.name, 'release-notes')
  assert.match(notes?.description ?? '', /about to be published, or somebody asks/)
})

test('reads a folder that is a skill itself, and several folders together', async () => {
  const own = folderWith({ 'it/SKILL.md': skill('it') })
  const all = await skillsFrom([join(EXAMPLES, 'release-notes'), own])
  assert.deepEqual(
    all.map(({ name }) => name),
    ['release-notes', 'it'],
  )
})

test('the program gives tools to a skill by its name', async () => {
  const tool = defineTool({
    name: 'look',
    description: 'looks',
    input: guardedSchema({ type: 'object' }, (value): value is unknown => value !== null),
    run: () => 'seen',
  })
  const [first] = await skillsFrom(EXAMPLES, { tools: { 'invoice-check': [tool] } })
  assert.deepEqual(first?.tools, [tool])
  await assert.rejects(
    skillsFrom(EXAMPLES, { tools: { invoices: [tool] } }),
    /tools are given for invoices, which is not among the skills read/,
  )
})

test('accepts tools for a faulty skill', async () => {
  const folder = folderWith({ 'it/SKILL.md': 'Do it.' })
  const problems: SkillProblem[] = []
  const onProblem = (problem: SkillProblem): unknown => problems.push(problem)
  assert.deepEqual(await skillsFrom(folder, { onProblem, tools: { it: [] } }), [])
  assert.equal(problems.length, 1)
})

test('reads any SKILL.md or reports one sentence', async () => {
  const field = fc.constantFrom(
    'name: it',
    'description: x',
    'metadata: {a: 1}',
    '- a',
    '&a *a',
    '',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .tuple(fc.array(fc.oneof(field, fc.string({ maxLength: 20 })), { maxLength: 8 }), fc.string())
      .map(([lines, body]) => `---\n${lines.join('\n')}\n---\n${body}`),
  )
  await fc.assert(
    fc.asyncProperty(text, async (source) => {
      const read = await readMatter(source, 'it')
      if ('problem' in read) assert.ok(read.line >= 1 && !read.problem.includes('\n'))
      else assert.deepEqual([read.name, read.body === ''], ['it', false])
    }),
    { numRuns: 500, seed: 26 },
  )
})

test('refuses a faulty skill with file and line, or reports it and leaves it out', async () => {
  const folder = folderWith({
    'good/SKILL.md': skill('good'),
    'bad/SKILL.md': `---\nname: bad\n---\nDo it.`,
  })
  await assert.rejects(skillsFrom(folder), (error) => {
    assert.ok(error instanceof EchelonError && error.code === 'INVALID_INPUT')
    assert.match(error.message, /bad.SKILL\.md:1: description is missing; say what/)
    return true
  })
  const { skills, problems } = await readAll(folder)
  assert.deepEqual(
    skills.map(({ name }) => name),
    ['good'],
  )
  assert.deepEqual(
    problems.map(({ line, file }) => [line, file]),
    [[1, join(folder, 'bad', 'SKILL.md')]],
  )
})

const NAME = 'it/SKILL.md'
const FAULTS: readonly (readonly [what: string, text: string | Uint8Array, says: RegExp])[] = [
  ['no front matter', 'Do it.', /^it.SKILL\.md:1: start with front matter/],
  ['front matter without end', '---\nname: it\n', /:1: start with front matter/],
  ['front matter that is a list', '---\n- it\n---\nDo.', /name is missing|has no fields/],
  ['broken YAML', '---\nname: it\ndescription: "open\n---\nDo.', /:[34]: .*not valid YAML.*quote/],
  ['the same field twice', '---\nname: it\nname: it\n---\nDo.', /:3: .*Map keys must be unique/],
  ['an alias', '---\nname: &x it\ndescription: *x\n---\nDo.', /:2: .*Alias resolution is disabled/],
  ['YAML deeper than any', `---\nname: ${'['.repeat(9000)}\n---\nDo.`, /:2: .*not valid YAML/],
  ['a huge front matter', skill('it', `license: ${'x'.repeat(20_000)}\n`), /:1: .*longer than/],
  ['another name', skill('other'), /:2: the skill is called other and its folder it/],
  ['a name in capitals', skill('It'), /:2: name is "It"; use lowercase letters/],
  ['a name with a path', skill('../it'), /:2: name is "..\/it"; use lowercase letters/],
  ['a long name', skill('x'.repeat(65)), /:2: name has 65 characters, and may have 64/],
  ['a name that is a number', skill('12'), /:2: name is missing; give it as a string/],
  [
    'a description too long',
    `---\nname: it\ndescription: ${'x'.repeat(1025)}\n---\nDo.`,
    /:3: descr.* 1025/,
  ],
  [
    'a compatibility too long',
    skill('it', `compatibility: ${'x'.repeat(501)}\n`),
    /:4: compat.* 501/,
  ],
  [
    'metadata in metadata',
    skill('it', 'metadata: { a: { b: c } }\n'),
    /:4: metadata\.a is not a string/,
  ],
  [
    'allowed-tools as a list',
    skill('it', 'allowed-tools: [a]\n'),
    /:4: allowed-tools is not a string/,
  ],
  ['no instructions', skill('it', '', ''), /:3: there are no instructions below/],
  ['a huge file', skill('it', '', 'x'.repeat(70_000)), /:1: the skill is larger than 65536 bytes/],
  ['no UTF-8', new Uint8Array([0x2d, 0xff, 0xfe]), /:1: the skill is not UTF-8 text/],
]

for (const [what, text, says] of FAULTS) {
  test(`reports a SKILL.md with ${what} in one clear sentence`, async () => {
    assert.match(await problemOf({ [NAME]: text }), says)
  })
}

test('treats a name such as __proto__ as an ordinary field', async () => {
  const folder = folderWith({ [NAME]: skill('it', 'metadata: { __proto__: x }\n') })
  const { skills } = await readAll(folder)
  assert.equal(Object.getPrototypeOf(skills[0]?.metadata), Object.prototype)
})

test('does not follow links to a file, a folder, a SKILL.md or a skill', async () => {
  const secret = folderWith({ 'secret.txt': 'hidden', 'it/SKILL.md': skill('it') })
  const cases = [
    { path: 'it/references/x.md', to: join(secret, 'secret.txt'), says: /symbolic link \(refer/ },
    { path: 'it/assets', to: secret, says: /symbolic link \(assets\)/ },
    { path: 'it/SKILL.md', to: join(secret, 'it/SKILL.md'), says: /symbolic link \(SKILL\.md\)/ },
    { path: 'it', to: join(secret, 'it'), says: /its folder is a symbolic link/ },
  ]
  for (const { path, to, says } of cases) {
    const isSkill = path === 'it' || path === 'it/SKILL.md'
    const folder = folderWith(isSkill ? {} : { [NAME]: skill('it') })
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(to, join(folder, path))
    const { skills, problems } = await readAll(folder)
    assert.deepEqual(skills, [], path)
    assert.match(String(problems[0]?.message), says)
  }
})

test('limits the number of files and the folder depth, and skips hidden files', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 201 }, (_, index) => [`it/assets/${index}.txt`, '']),
  )
  assert.match(await problemOf({ [NAME]: skill('it'), ...many }), /holds more than 200 files/)
  const deep = `it/${'a/'.repeat(6)}x.md`
  assert.match(await problemOf({ [NAME]: skill('it'), [deep]: '' }), /holds folders deeper than 4/)
  const long = `it/${'a'.repeat(200)}/x.md`
  assert.match(await problemOf({ [NAME]: skill('it'), [long]: '' }), /more than 200 characters/)
  const folder = folderWith({ [NAME]: skill('it'), 'it/.git/config': '', 'it/a.md': 'a' })
  const { skills } = await readAll(folder)
  assert.deepEqual(skills[0]?.files, ['a.md'])
})

test('reports two skills of one name with both paths', async () => {
  const [one, two] = [folderWith({ [NAME]: skill('it') }), folderWith({ [NAME]: skill('it') })]
  await assert.rejects(skillsFrom([one, two]), /there is also a skill it in /)
})

test('throws for a folder without skills, and for a path that is not a folder', async () => {
  await assert.rejects(skillsFrom(folderWith({ 'README.md': '' })), /contains no skill, that is,/)
  await assert.rejects(skillsFrom(join(EXAMPLES, 'nowhere')), /is not a readable folder/)
})
