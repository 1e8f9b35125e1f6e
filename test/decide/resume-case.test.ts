import assert from 'node:assert/strict'
import test from 'node:test'
import { createDecider } from '../../packages/echelon/src/decide.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'

const TASK = 'A shirt costs $40 and is 25% off; what do three cost?'

test('a case resumes in another process from its journal, wherever the first one stopped', async () => {
  const journal = new MemoryJournal()
  const whole = await (await createDecider({ journal })).runCase(TASK, { mode: 'fallback_only' })
  assert.equal(whole.answer, '90')
  const entries = journal.read(whole.run_id)
  for (let crash = 1; crash <= entries.length; crash++) {
    const left = new MemoryJournal()
    left.append(whole.run_id, entries.slice(0, crash))
    const { result } = await (await createDecider({ journal: left })).resume(whole.run_id)
    const { answer, verified, finish_reason, run_id } = await result
    assert.deepEqual([answer, verified, finish_reason], ['90', true, 'success'], `${crash}`)
    assert.equal(run_id, whole.run_id)
  }
})

test('a case without a journal cannot be resumed, and the error says so', async () => {
  for (const options of [{}, { journal: new MemoryJournal() }]) {
    const decider = await createDecider(options)
    await assert.rejects(decider.resume('nobody'), {
      code: 'UNKNOWN_RUN',
      message: 'the journal holds no run of this id; check the id',
    })
  }
})
