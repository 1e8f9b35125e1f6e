/**
 * Measures the support agent on public data, next to the figures to beat: `npm run bench:support`. The data is read from the folder in `ECHELON_DATA`, by default
 * `../shared/data` seen from the repository. A missing set is reported and skipped; an unreadable one
 * ends the program with status 1. `-- --only NAME` measures one.
 */
import { airlinePolicyFigures } from './support/airline-policy.ts'
import { askOrCallFigures } from './support/ask-or-call.ts'
import { bitextFigures } from './support/bitext.ts'
import { injectFigures } from './support/inject-asb.ts'
import { intentFigures, printIntentFigures } from './support/intents.ts'
import { messageFigures } from './support/messages.ts'
import { printSections, type Section, type Sections } from './sections.ts'
import { airlineReplayFigures, retailReplayFigures } from './support/replay-runs.ts'
import { retailFirstFigures } from './support/retail-first.ts'
import { sgdSentenceFigures } from './support/sgd-sentences.ts'
import { printTable } from './tools/print-table.ts'
import type { Row } from './tools/row.ts'

const table =
  (figures: (folder: string) => Promise<readonly Row[]>): Section =>
  async (folder) =>
    printTable(await figures(folder))

const SECTIONS: Sections = {
  intents: {
    title: 'Understanding, the embedded rung alone',
    measure: async (folder) => printIntentFigures(await intentFigures(folder)),
  },
  bitext: {
    title: 'Public customer-support sentences, offline, each the first of a conversation',
    measure: table(bitextFigures),
  },
  messages: {
    title: 'Messages of our own, offline, each the first of a conversation',
    measure: async () => printTable(await messageFigures()),
  },
  first: {
    title: 'First messages of a shop’s customers, offline',
    measure: table(retailFirstFigures),
  },
  ask: {
    title: 'Ask or call, given the gold state of real dialogues',
    measure: table(askOrCallFigures),
  },
  sentences: {
    title: 'The users’ sentences of real dialogues end to end, offline',
    measure: table(sgdSentenceFigures),
  },
  policy: {
    title: 'An airline’s policy as rules: writes of recorded runs that it stops',
    measure: table(airlinePolicyFigures),
  },
  inject: {
    title: 'Recorded calls of models under injected instructions, behind the allow-list',
    measure: table(injectFigures),
  },
  airline: {
    title: 'Recorded runs of an airline, through router, memory and tools',
    measure: table(airlineReplayFigures),
  },
  retail: {
    title: 'Gold actions of a shop, through router, memory and tools',
    measure: table(retailReplayFigures),
  },
}

await printSections(SECTIONS)
