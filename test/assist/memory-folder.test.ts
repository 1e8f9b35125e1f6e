import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { createAssistant, memoryFolder, type MemoryFolder } from '@echelon/assist'

function folder(t: TestContext): MemoryFolder {
  const path = mkdtempSync(join(tmpdir(), 'memory-folder-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return memoryFolder(join(path, 'memory'))
}

describe('an assistant with a folder', () => {
  test('[L-4] [L-7] keeps plans and evaluations in it, and leaves the intent alone', async (t) => {
    const memory = folder(t)
    const { outcome } = await createAssistant({ memory }).run('Should I move to Berlin?').result
    assert.equal(outcome, 'answered')
    assert.deepEqual(readdirSync(memory.path).toSorted(), [
      '.versions.json',
      'evaluations.json',
      'plans.json',
    ])
    assert.match(readFileSync(join(memory.path, 'evaluations.json'), 'utf8'), /"on_intent: /)
    assert.doesNotMatch(readFileSync(join(memory.path, 'plans.json'), 'utf8'), /Berlin/)
  })

  test('[L-1] names the line of an invalid intent, and does not answer', async (t) => {
    const memory = folder(t)
    await memory.init()
    const text = readFileSync(memory.intentFile, 'utf8')
    writeFileSync(memory.intentFile, text.replace('"stop_conditions"', '"stops"'))
    const { outcome, text: said } = await createAssistant({ memory }).run('Should I move?').result
    assert.equal(outcome, 'failed')
    assert.match(said, /intent\.json:\d+: stops is not known here/)
  })
})
