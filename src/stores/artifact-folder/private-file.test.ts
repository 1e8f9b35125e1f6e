import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writePrivateFile } from './private-file.ts'

test('[DD-23] a folder that was swapped for a link after it was looked up gets no file', async (t) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'private-')))
  t.after(() => rm(base, { recursive: true, force: true }))
  await mkdir(join(base, 'outside'))
  await symlink(join(base, 'outside'), join(base, 'folder'))
  const writing = writePrivateFile(join(base, 'folder'), 'a.txt', Buffer.from('secret'))
  await assert.rejects(writing, { name: 'ToolError', code: 'PATH_TRAVERSAL' })
  assert.deepEqual(await readdir(join(base, 'outside')), [])
})
