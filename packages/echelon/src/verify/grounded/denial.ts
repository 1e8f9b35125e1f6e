import { partsOf, rootOf, rootsIn } from '../words.ts'
import { type Passage, sentencesIn } from './passages.ts'

/**
 * Compares the negations of a sentence and a passage. In a passage, the sentence that shares the most words counts; in
 * a record, the fields that are true or false.
 * @param own the roots of the sentence that it does not have from the question
 */
export function saysTheSame(sentence: string, { text }: Passage, own: readonly string[]): boolean {
  const denies = DENIAL.test(sentence)
  const stated = new Set(rootsIn(sentence))
  const flags = [...text.matchAll(FLAG)].filter(([, name = '']) => {
    const roots = rootsIn(name)
    return roots.length > 0 && roots.every((root) => stated.has(root))
  })
  if (flags.length > 0) return flags.every(([, , value]) => (value === 'false') === denies)
  const shares = sentencesIn(text).map((one) => {
    const roots = new Set(partsOf(one).map(rootOf))
    return { denies: DENIAL.test(one), shared: own.filter((root) => roots.has(root)).length }
  })
  const most = Math.max(...shares.map(({ shared }) => shared))
  return shares.some((one) => one.shared === most && one.denies === denies)
}

/** A field of a record. */
const FLAG = /([\w-]{1,64}): (true|false)\b/g

const DENIAL =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|unable|except)\b|n['’]t\b/i
