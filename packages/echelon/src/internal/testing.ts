export { casesOf, frozen, inTime, JSON_VALUES, notCopied, ODD_NAMES } from '../testing/contract.ts'
