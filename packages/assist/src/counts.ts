import type { Finding } from './evaluation/finding.ts'

/** From which confidence on a finding decides. */
const COUNTS_FROM = 0.5

/** Whether a finding decides anything; what is less sure is left to a model, where there is one. */
export const counts = ({ confidence }: Finding): boolean => confidence >= COUNTS_FROM
