/**
 * Characters of a model's answer, and of the arguments of one call, that are parsed at all; what is longer
 * is no JSON to any reader. No model that is on sale writes as much in one answer.
 */
export const MOST_ANSWER_CHARACTERS = 1_000_000

/** Of an answer of few fields, such as a plan or a classification. */
export const MOST_FORM_CHARACTERS = 50_000
