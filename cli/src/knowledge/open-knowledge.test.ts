import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { knowledgeAt } from './open-knowledge.ts'

const folder = mkdtempSync(join(tmpdir(), 'echelon-cli-knowledge-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function projectWith(name: string): string {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'README.md'), `# ${name}`)
  return join(folder, name)
}

test('[C-18] names documents relative to the file, so that two projects can share it', async () => {
  const [first, second] = [projectWith('one'), projectWith('two')]
  for (const project of [first, second]) {
    await using opened = await knowledgeAt(process, join(folder, 'shared.db'), { isNew: true })
    assert.deepEqual((await opened.base.add(project)).removed, [])
  }
  await using opened = await knowledgeAt(process, join(folder, 'shared.db'), {})
  assert.deepEqual(
    (await opened.base.list()).map(({ id }) => id),
    ['one/README.md', 'two/README.md'],
  )
})

test('names documents relative to the parent folder of .echelon', async () => {
  const project = projectWith('three')
  await using opened = await knowledgeAt(process, join(project, '.echelon/knowledge.db'), {
    isNew: true,
  })
  assert.deepEqual((await opened.base.add(project)).added, ['README.md'])
})
