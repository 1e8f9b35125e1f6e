export {
  historyReduction,
  type HistoryReductionOptions,
} from '../middleware/history/history-reduction.ts'
export { saidIn } from '../middleware/history/message-text.ts'
export { summarising } from '../middleware/history/summarising.ts'
export { compose } from '../middleware/compose.ts'
export { type Known, knownOptions } from '../middleware/option-check.ts'
