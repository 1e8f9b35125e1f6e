import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Artifact } from '../../../echelon/src/core/tool/artifact.ts'
import type { Entry } from '../../../echelon/src/core/journal/journal.ts'
import type { ToolOutcome } from '../../../echelon/src/core/tool/tool-call.ts'
import { artifactWriter } from './artifact-rows.ts'
import { openFile } from './in-tests.ts'

const made = (...names: readonly string[]): ToolOutcome => ({
  type: 'ok',
  value: null,
  artifacts: names.map((name): Artifact => ({
    name,
    path: `/a/${name}`,
    mediaType: 'text/plain',
    bytes: 1,
    sha256: '0',
  })),
})

const OF_STEP = { path: '', seq: 0 }
const CLOSED = { ...OF_STEP, type: 'closed', digest: 0, at: 1, spent: {} } as const

test('files are recorded from settled calls, steps, and several together', async (t) => {
  const db = await openFile(t)
  const write = artifactWriter(db)
  const refused: ToolOutcome = { type: 'error', code: 'TOOL_ERROR', message: 'no' }
  const entries: readonly Entry[] = [
    { ...OF_STEP, type: 'settled', call: 0, outcome: made('a') },
    { ...CLOSED, seen: { type: 'tools-called', outcomes: [made('a', 'b'), refused] } },
    {
      ...CLOSED,
      seen: {
        type: 'together',
        observations: [{ type: 'said' }, { type: 'tools-called', outcomes: [made('c')] }],
      },
    },
    { ...CLOSED, seen: { type: 'said' } },
  ]
  db.transaction(() => write('r', entries, 7))
  db.transaction(() => write('r', entries, 8))
  const rows = db.prepare('select run, name, at from artifacts order by name').all()
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    ['a', 'b', 'c'].map((name) => ({ run: 'r', name, at: 7 })),
  )
})
