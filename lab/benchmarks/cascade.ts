/**
 * Measures the verifiers and the cascade on recorded answers of models, with the figures that they are to beat
 * beside their own: `npm run bench:cascade`. The data is read from the folder in `ECHELON_DATA`, by default
 * `../shared/data` seen from the repository. A set that is absent is skipped and says so; one that cannot be
 * read, or a goal that is missed, ends the program with status 1. `-- --only NAME` measures one. The last table is
 * the one of the README.
 */
import { attemptsFigures } from './cascade/attempts.ts'
import { callFigures } from './cascade/calls.ts'
import { dateVoteFigures } from './cascade/dates.ts'
import { Goals } from './cascade/goals.ts'
import { gsm8kFigures } from './cascade/gsm8k.ts'
import { moneyFigures } from './cascade/money.ts'
import { primeFigures } from './cascade/primes.ts'
import { printSections, type Sections } from './sections.ts'

const goals = new Goals()

const SECTIONS: Sections = {
  gsm8k: {
    title: 'GSM8K, Mixtral 8x7B then GPT-4: which answers to escalate',
    measure: (folder) => gsm8kFigures(folder, goals),
  },
  primes: {
    title: 'Prime numbers, the decision agent on the offline models: which answers are right',
    measure: (folder) => primeFigures(folder, goals),
  },
  dates: {
    title: 'DATE, GPT-3.5 then GPT-4: a vote of at most six recorded answers',
    measure: (folder) => dateVoteFigures(folder, goals),
  },
  calls: {
    title: 'BFCL, GPT-3.5 then GPT-4o: which tool calls to escalate, at .6 of GPT-4o alone',
    measure: (folder) => callFigures(folder, goals),
  },
  attempts: {
    title: 'ALFWorld and WebShop attempts: when the decision agent stops',
    measure: (folder) => attemptsFigures(folder, goals),
  },
  money: {
    title: 'Random schedules of faults: nothing over the limit',
    measure: () => moneyFigures(goals),
  },
}

await printSections(SECTIONS)
console.log(`\n${goals.table(new Date().toISOString().slice(0, 10))}`)
if (!goals.areReached) process.exitCode = 1
