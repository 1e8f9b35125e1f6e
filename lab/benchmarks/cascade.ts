/**
 * Measures the verifiers and the cascade on recorded answers of models, with the figures that they are to beat
 * beside their own: `npm run bench:cascade`. The data is read from the folder in `ECHELON_DATA`, by default
 * `../shared/data` seen from the repository. A set that is absent is skipped and says so; one that cannot be
 * read ends the program with status 1. `-- --only NAME` measures one.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { attemptsFigures } from './cascade/attempts.ts'
import { callFigures } from './cascade/calls.ts'
import { dateVoteFigures } from './cascade/dates.ts'
import { gsm8kFigures } from './cascade/gsm8k.ts'
import { moneyFigures } from './cascade/money.ts'
import { primeFigures } from './cascade/primes.ts'

/** Measures one data set, and returns the figures as text. */
type Section = (folder: string) => Promise<string>

const SECTIONS: Readonly<Record<string, { readonly title: string; readonly measure: Section }>> = {
  gsm8k: {
    title: 'GSM8K, Mixtral 8x7B then GPT-4: which answers to escalate',
    measure: gsm8kFigures,
  },
  primes: {
    title: 'Prime numbers, the decision agent on the offline models: which answers are right',
    measure: primeFigures,
  },
  dates: {
    title: 'DATE, GPT-3.5 then GPT-4: a vote of at most six recorded answers',
    measure: dateVoteFigures,
  },
  calls: {
    title: 'BFCL, GPT-3.5 then GPT-4o: which tool calls to escalate, at .6 of GPT-4o alone',
    measure: callFigures,
  },
  attempts: {
    title: 'ALFWorld and WebShop attempts: when the decision agent stops',
    measure: attemptsFigures,
  },
  money: { title: 'Random schedules of faults: nothing over the limit', measure: moneyFigures },
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const chosen = Object.entries(SECTIONS).filter(([name]) => (values.only ?? name) === name)
if (chosen.length === 0) {
  console.error(`there is no ${values.only}; there are ${Object.keys(SECTIONS).join(', ')}`)
  process.exitCode = 2
}

const folder =
  process.env['ECHELON_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))
for (const [name, { title, measure }] of chosen) {
  console.log(`\n${title} (${name})`)
  try {
    console.log(await measure(folder))
  } catch (error) {
    process.exitCode = 1
    console.log(`failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
