import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDecider } from '../../packages/echelon/src/index.ts'
import { readModelTape, replayingRegistry } from '../../packages/echelon/src/providers.ts'
import { replayRecording } from '../../packages/echelon/src/replay.ts'

/** Recordings of a decision from before all recordings had one header. */
const folder = join(import.meta.dirname, 'version-1')
const TASK = 'What is 15 * 23?'

test('a recording of runs of version 1 replays exactly', async () => {
  const replay = await replayRecording(join(folder, 'run.jsonl'))
  assert.deepEqual(replay.record.about, { made: 'by version 1' })
  const decider = await createDecider(await replay.forDecider())
  const { answer } = await (await decider.start(TASK)).result
  assert.equal(answer, '345')
  assert.equal(replay.likeness.type, 'exact')
})

test('a recording of models of version 1 answers a decision', async () => {
  const tape = await readModelTape(join(folder, 'calls.jsonl'))
  const decider = await createDecider({ registry: replayingRegistry(tape) })
  // The tape answers the prompt of its day.
  const { answer } = await (await decider.start(TASK, { today: '2026-11-23' })).result
  assert.equal(answer, '345')
  assert.deepEqual([tape.warning, tape.unused()], [undefined, []])
})
