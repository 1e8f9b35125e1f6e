import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadSections } from '../defaults/knowledge-folder.ts'
import { SECTIONS } from './known-sections.ts'

test('each section that the agent refers to is in the documents that come along', async () => {
  const folder = fileURLToPath(new URL('../../knowledge', import.meta.url))
  const sources = new Set((await loadSections(folder, [])).map(({ source }) => source))
  const missing = Object.values(SECTIONS).filter((source) => !sources.has(source))
  assert.deepEqual(missing, [])
})
