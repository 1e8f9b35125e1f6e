export { isDay, MONTHS } from '../core/figures/calendar.ts'
export { unsupportedFigures } from '../core/figures/unsupported-figures.ts'
