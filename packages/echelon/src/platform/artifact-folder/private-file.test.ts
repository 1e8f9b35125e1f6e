import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { realFolder, writePrivateFile } from './private-file.ts'

test('[DD-23] writes no file to a folder that was replaced by a link after the lookup', async (t) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'private-')))
  t.after(() => rm(base, { recursive: true, force: true }))
  await mkdir(join(base, 'outside'))
  await symlink(join(base, 'outside'), join(base, 'folder'))
  const writing = writePrivateFile(join(base, 'folder'), 'a.txt', Buffer.from('secret'))
  await assert.rejects(writing, { name: 'ToolError', code: 'PATH_TRAVERSAL' })
  assert.deepEqual(await readdir(join(base, 'outside')), [])
})

test('creates a folder and its parents for the owner only', async (t) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'private-')))
  t.after(() => rm(base, { recursive: true, force: true }))
  const folder = join(base, 'a', 'b')
  assert.deepEqual(await Promise.all([realFolder(folder), realFolder(folder)]), [folder, folder])
  for (const made of [folder, join(base, 'a')]) {
    assert.equal((await stat(made)).mode & 0o777, 0o700)
  }
})

test('fails at once where no folder can be created', { timeout: 30_000 }, async (t) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'private-')))
  t.after(() => rm(base, { recursive: true, force: true }))
  await writeFile(join(base, 'file'), '')
  for (const folder of [
    '/proc/echelon',
    '/proc/echelon/deep',
    join(base, 'file'),
    join(base, 'file', 'x'),
  ]) {
    await assert.rejects(realFolder(folder))
  }
})
