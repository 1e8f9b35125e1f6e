const FIRST =
  /^\W*(?:the )?(?:first|former|1st|1|one|a)(?: one| option)?\W*(?:please|pls)?\W*$|\b(?:the (?:first|former|1st)\b|(?:option|number|no\.?|choice) (?:1|one|a)\b|first (?:one|option|thing|choice)\b)/iu
const SECOND =
  /^\W*(?:the )?(?:second|latter|last|2nd|2|two|b)(?: one| option)?\W*(?:please|pls)?\W*$|\b(?:the (?:second|latter|last|2nd)\b(?! (?:week|month|year|day|time))|(?:option|number|no\.?|choice) (?:2|two|b)\b|second (?:one|option|thing|choice)\b)/iu

/** The place of the choice that a text names by it, of so many; -1 for none or both. */
export function placeIn(text: string, choices: number): number {
  if (text.includes('?')) return -1
  const [isFirst, isSecond] = [FIRST.test(text), SECOND.test(text)]
  if (isFirst === isSecond) return -1
  return isFirst ? 0 : choices - 1
}

/** Whether a text names a choice by its place. */
export const namesPlace = (text: string): boolean => FIRST.test(text) || SECOND.test(text)
