import { clausesOf } from '../clauses.ts'

const UNTIL_WHEN =
  /^\W*(?:(?:and|so|ok|okay|but|hi|hello|hey)[\s,]+)*(?:how late|at what point|(?:up to|up until|until|till|by) (?:when|what (?:point|day|time|date))|what(?:'s| is) the (?:latest|last (?:day|moment|chance)))\b/iu

/** "How late could I still call it off?": the rule is asked for, whatever it is about. */
export const asksUntilWhen = (text: string): boolean =>
  UNTIL_WHEN.test(text) && clausesOf(text).length === 1
