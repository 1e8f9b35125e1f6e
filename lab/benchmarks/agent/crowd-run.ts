/** A program that `crowd` starts: a thousand concurrent runs of one contestant. */
import { bare } from './bare.ts'
import { adder } from './contestant.ts'
import { echelon } from './echelon.ts'
import { ANSWER, waiting } from './model.ts'
import { peer } from './peer.ts'

const RUNS = 1000
const STEPS = 3
const WAVES = 5

const name = process.argv[2]
const contestant = [echelon, bare, peer].find((one) => one.name === name)
if (contestant === undefined) throw new Error(`there is no contestant ${name}`)
const setup = { model: waiting(STEPS, 'add', 1), tool: adder() }
const runner = contestant.prepare(setup)

const ms: number[] = []
const peaks: number[] = []
for (let wave = 0; wave < WAVES; wave++) {
  const began = performance.now()
  const answers = await Promise.all(Array.from({ length: RUNS }, () => runner.run('go')))
  ms.push(performance.now() - began)
  peaks.push(process.resourceUsage().maxRSS / 1024)
  if (answers.some((answer) => answer !== ANSWER)) throw new Error(`${name} did not answer`)
}
const { calls } = setup.model.seen
const expected = WAVES * RUNS * (STEPS + 1)
if (calls !== expected || setup.tool.seen.calls !== WAVES * RUNS * STEPS) {
  throw new Error(`${name} made ${calls} model calls, not ${expected}`)
}
console.log(JSON.stringify({ ms, peaks }))
