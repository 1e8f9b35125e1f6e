export { casesOf, frozen, inTime, JSON_VALUES, notCopied, ODD_NAMES } from '../testing/contract.ts'
export { asLines, MADE_MODELS, madeTraces } from '../testing/made-traces.ts'
