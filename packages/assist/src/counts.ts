import type { Finding } from './evaluation/finding.ts'

/** Minimum confidence for a finding to decide. */
const COUNTS_FROM = 0.5

/** Whether a finding decides; a less certain one is left to a model, if there is one. */
export const counts = ({ confidence }: Finding): boolean => confidence >= COUNTS_FROM
