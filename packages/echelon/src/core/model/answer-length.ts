/**
 * Maximum characters of a model's answer, or of one call's arguments, that are parsed as JSON. No current
 * model writes as much in one answer.
 */
export const MOST_ANSWER_CHARACTERS = 1_000_000

/** The same for answers with few fields, such as a plan or a classification. */
export const MOST_FORM_CHARACTERS = 50_000
