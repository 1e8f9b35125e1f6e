// Models recorded once and replayed: the same run again, without key, package or network.
import { rmSync } from 'node:fs'
import { createDecider } from 'echelon'
import {
  createRegistry,
  readModelTape,
  recordingRegistry,
  replayingRegistry,
  standardProviders,
  startModelRecording,
} from 'echelon/providers'

const FILE = 'calls.jsonl'
const TASK = 'A shirt costs $40 and is 25% off; what do three cost?'
// The prompt names the day, so the date is fixed.
const options = { today: '2025-09-08', timeZone: 'UTC' }

// Name your own models instead, with small and big: they are called only this once.
const recording = startModelRecording(FILE)
const recorder = await createDecider({
  registry: recordingRegistry(createRegistry(standardProviders), recording),
})
const first = await recorder.runCase(TASK, options)
console.log('recorded', first.answer, recording.close() ?? 'and the file is complete')

const tape = await readModelTape(FILE)
const replayer = await createDecider({ registry: replayingRegistry(tape) })
const again = await replayer.runCase(TASK, options)
console.log('replayed', again.answer, `with ${tape.unused().length} answers unused`)

try {
  await replayer.runCase('A shirt costs $40 and is 30% off; what do three cost?', options)
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}
rmSync(FILE)
