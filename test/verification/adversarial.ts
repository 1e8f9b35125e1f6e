/**
 * Searches for questions whose wrong answer could be verified. `npm run verify:adversarial -- --seeds 10 --count
 * 30000` Options: `--seed` first seed (default 1), `--seeds` number of seeds (1), `--count` questions per seed
 * (20,000), `--kind` only kinds whose name contains this text, `--samples` failures shown per kind (2). Exit
 * status 1 if there is any.
 */
import { parseArgs } from 'node:util'
import { GRAMMARS } from './grammars.ts'
import { samplesOf, tableOf } from './report.ts'
import { sumOf, tallyOf } from './tally.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    kind: { type: 'string', default: '' },
    samples: { type: 'string', default: '2' },
  },
})
const grammars = GRAMMARS.filter(({ kind }) => kind.includes(values.kind))
const seeds = Array.from({ length: Number(values.seeds) }, (_, nth) => Number(values.seed) + nth)
const each = Math.max(1, Math.floor(Number(values.count) / grammars.length))
const tallies = sumOf(seeds.map((seed) => tallyOf(grammars, seed, each)))
const samples = samplesOf(tallies, Number(values.samples))
if (samples !== '') console.log(`${samples}\n`)
console.log(tableOf(tallies))
const failures = tallies.reduce((sum, { failures }) => sum + failures.length, 0)
console.log(`seeds ${seeds.join(', ')}: ${grammars.length} kinds, ${failures} failures`)
process.exitCode = failures === 0 ? 0 : 1
