// A run as it happens: iterate its events, look at the task in between, cancel it when you like.
import { createDecider } from 'echelon'

const decider = await createDecider()
const { run, result, view } = await decider.start('What date is 45 days after March 3, 2024?')

for await (const event of run) {
  if (event.type === 'step-start') console.log(event.actor, event.effect, ...event.targets)
  if (event.type === 'note') console.log(' ', event.note.stage, view().tier, view().state)
}
console.log((await result).answer)

const hasty = AbortSignal.timeout(0)
const cut = await decider.runCase('What is 15 * 23?', { signal: hasty })
console.log(cut.finish_reason, cut.verified)
