// Records a whole run, replays it offline byte for byte, and forks it at a step.
import { rmSync } from 'node:fs'
import { createAgent, defineTool } from 'echelon/chat'
import { forkRecording, recordRun, replayRecording } from 'echelon/replay'
import { asBound, scriptedModel } from 'echelon/testing'
import { z } from 'zod'

const FILE = 'run.jsonl'
let paid = 0
const pay = defineTool({
  name: 'pay',
  description: 'pays somebody',
  input: z.object({ to: z.string() }),
  does: 'acts',
  needsApproval: true,
  run: ({ to }) => `paid ${to}, payment ${++paid}`,
})
const call = (to: string) => ({ toolCalls: [{ tool: 'pay', input: { to } }] })
const small = asBound(scriptedModel([call('Ada'), 'Ada is paid.']), 'demo/small')

const recording = recordRun(FILE)
const agent = createAgent(recording.forAgent({ model: small, tools: [pay] }))
// Steer the run through the handle that `watch` returns, so that replies are recorded too.
const run = recording.watch(agent.run('Pay Ada.'))
for await (const event of run) {
  if (event.type === 'request-open') run.respond(event.request, 'once')
}
console.log((await run.result).text, recording.close() ?? 'and the recording is complete')

// The same agent: its model and its tool are never called, and the reply is the recorded one.
const replay = await replayRecording(FILE)
const again = createAgent(replay.forAgent({ model: small, tools: [pay] }))
const second = replay.watch(again.run('Pay Ada.'))
for await (const event of second) {
  if (event.type === 'tool-end') console.log('again:', event.outcome)
}
console.log(replay.likeness, 'payments:', paid)

// A call that was not recorded ends the run; it is never made.
const other = createAgent((await replayRecording(FILE)).forAgent({ model: small, tools: [pay] }))
await other.run('Pay Bob.').result.catch(({ message }: Error) => console.log(message))

// Forked at its first step with another model, which pays another person: denied unless `act` names the tool.
const big = asBound(scriptedModel([call('Bob'), 'Bob could not be paid.']), 'demo/big')
const fork = await forkRecording(FILE, { at: 0, models: { main: 'demo/big' }, act: [] })
const forked = createAgent(fork.forAgent({ model: big, tools: [{ ...pay, needsApproval: false }] }))
const end = await (await forked.resume(fork.runId)).result
console.log(end.text, 'payments:', paid)
rmSync(FILE)
