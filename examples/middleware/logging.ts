// Structured logs at decision points: of a whole run through pino, of a task, and of what middleware sees.
import { readFileSync, rmSync } from 'node:fs'
import { createDecider } from 'echelon'
import { createAgent } from 'echelon/chat'
import { fallback, logging } from 'echelon/middleware'
import { type Log, logRuns, pinoLog } from '@echelon/telemetry'
import { apiError, asBound, scriptedModel } from 'echelon/testing'

// Scripted models stand for real ones.
const broken = () => asBound(scriptedModel([{ error: apiError(401) }]))
const other = () => asBound(scriptedModel(['A lamp, of course.']), 'scripted/other')
const registry = { resolve: () => Promise.resolve(other()) }

// A line of JSON for each record, in a file of its owner; without `file` on standard output.
const file = await pinoLog({ file: 'runs.log', level: 'info' })
const use = [fallback(['scripted/other'])]
const agent = createAgent({ model: broken(), registry, use, logging: file })
await agent.run('What did ann@example.org buy?').result
for (const line of readFileSync('runs.log', 'utf8').trim().split('\n')) {
  const { level, event, model, from, to, cost } = JSON.parse(line)
  console.log(level, event, JSON.stringify({ model, from, to, cost }))
}

// The decision agent: its plans, verdicts, gates and escalations.
const gates: Log = {
  write: ({ event, data }) => {
    if (event === 'act') console.log('gate', data['rung'], data['decision'])
  },
}
const decider = await createDecider({ small: 'offline/small', big: 'offline/big' })
const task = 'A shirt costs $40 and is 25% off; what do three cost?'
await decider.runCase(task, { onEvent: logRuns(gates) })

// As middleware it measures milliseconds at its own position: here, each model of the fallback.
const tries: Log = {
  write: ({ event, data }) => {
    if (event === 'model.end') console.log('asked', data['asked'], data['code'] ?? 'answered')
  },
}
const within = [fallback(['scripted/other']), logging(tries, { content: false })]
await createAgent({ model: broken(), registry, use: within }).run('What is it?').outcome
rmSync('runs.log')
