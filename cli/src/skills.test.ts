import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type ServerAnswer, startModelServer } from 'echelon/testing'
import { echelon, folderFor, type Ran, runCommand } from './testing/run-command.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples/skills')

describe('echelon skills list', () => {
  test('[C-26] shows names, descriptions and files, and exits with 0', async (t) => {
    const { status, stdout } = await echelon(t, 'skills', 'list', EXAMPLES)
    assert.equal(status, 0)
    assert.match(
      stdout,
      /^invoice-check\n {2}Checks an invoice .*\n {2}needs: the script needs Node\n/,
    )
    assert.match(
      stdout,
      / {2}scripts\/total\.mjs\nrelease-notes\n.* {2}assets\/template\.md\nScripts run .*\.\n$/s,
    )
  })

  test('reports an invalid skill and exits with 1; a folder without skills is bad usage', async (t) => {
    const folder = folderFor(t)
    cpSync(EXAMPLES, join(folder, 'skills'), { recursive: true })
    mkdirSync(join(folder, 'skills/bad'))
    writeFileSync(join(folder, 'skills/bad/SKILL.md'), '---\nname: good\ndescription: x\n---\nDo.')
    const listed = await runCommand(['skills', 'list'], folder)
    assert.equal(listed.status, 1)
    assert.match(
      listed.stdout,
      /✗ skills.bad.SKILL\.md:2: the skill is called good and its folder bad/,
    )
    const json = await runCommand(['skills', 'list', '--json'], folder)
    const { skills, problems } = JSON.parse(json.stdout)
    assert.deepEqual([skills.length, problems.length, problems[0].line], [2, 1, 2])
    assert.deepEqual(skills[0].allowed_tools, ['book_payment'])
    const none = await echelon(t, 'skills', 'list')
    assert.deepEqual([none.status, none.stdout], [2, ''])
    assert.match(
      none.stderr,
      /^echelon: the default folder skills is not here; .* skills list FOLDER\n$/,
    )
    const named = await echelon(t, 'skills', 'list', 'elsewhere')
    assert.match(named.stderr, /^echelon: elsewhere is not a readable folder\n$/)
  })
})

describe('a chat with skills', () => {
  const script = {
    skill: 'invoice-check',
    path: 'scripts/total.mjs',
    args: ['19.90', '0.10'],
  }
  const answers: readonly ServerAnswer[] = [
    { type: 'reply', toolCalls: [{ tool: 'open_skill', input: { name: 'invoice-check' } }] },
    { type: 'reply', toolCalls: [{ tool: 'run_skill_script', input: script }] },
    { type: 'reply', text: ['Twenty.'] },
  ]

  const chat = async (folder: string, ...args: readonly string[]): Promise<Ran> => {
    await using server = await startModelServer([...answers])
    const named = ['--model', 'openai-compatible/m', '--base-url', server.baseUrl]
    return await runCommand(['chat', ...named, '--skills', EXAMPLES, ...args, 'Add it up.'], folder)
  }

  test('opens a skill and runs its script if allowed', async (t) => {
    const { status, stdout, stderr } = await chat(
      folderFor(t),
      '--skill-scripts',
      '--approve',
      'always',
    )
    assert.equal(stdout, 'Twenty.\n')
    assert.equal(status, 0)
    assert.match(stderr, /• open_skill\(name: "invoice-check"\)/)
    assert.match(stderr, /✓ run_skill_script exit: 0, stdout: "20\.00/)
  })

  test('scripts without skills are bad usage', async (t) => {
    const { status, stdout, stderr } = await echelon(t, 'chat', '--skill-scripts', 'Hello')
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(
      stderr,
      /^echelon: --skill-scripts is .*; name their folder with --skills FOLDER\n$/m,
    )
  })

  test('runs no unapproved script, and offers none without the option', async (t) => {
    const asked = await chat(folderFor(t), '--skill-scripts')
    assert.match(asked.stderr, /run_skill_script is not approved: nobody can be asked here/)
    assert.equal(asked.status, 1)
    const without = await chat(folderFor(t), '--approve', 'always')
    assert.doesNotMatch(without.stderr, /✓ run_skill_script/)
  })
})
