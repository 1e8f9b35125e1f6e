import { MONTH } from './names.ts'
import type { Known } from './evidence.ts'

/** Common English words, independent of the subject. */
const COMMON: ReadonlySet<string> = new Set(
  `a about after again all also am an and any anything are as at back be been before but by can could did do does
  done else for from get give go good had has have he hello help her here hi him his how i if in is it its just know
  let like made make may me more much my need new no not now of on one only or order other our out over please re s
  see she should so sorry status still t take thank thanks that the their them then there these they this those to
  too under until up us very was way we well were what when where which who why will with would you your ll ve m d
  yes date today next by via item items package parcel shipment delivery delivered shipped refund refunded return
  returned cancelled canceled tracking number carrier great news expected arrive arrives arrived total amount price
  address id transit delayed processing prepared eta sent certainly absolutely sure course welcome cheers ok okay dear best regards sincerely hey team`.split(
    /\s+/,
  ),
)

/** Minimum share of common words in a sentence. */
const LEAST_SHARE = 0.3

/** Whether a sentence reads as English: its words are common, or the data's own. */
export function isEnglish(sentence: string, { result }: Known): boolean {
  const data = new Set(
    JSON.stringify(result)
      .toLowerCase()
      .match(/\p{L}+/gu),
  )
  const words = (sentence.toLowerCase().match(/\p{L}+/gu) ?? []).filter(
    (word) => COMMON.has(word) || !(data.has(word) || MONTH.test(word)),
  )
  if (words.some((word) => !/^[a-z]+$/.test(word) && !LOANS.has(word))) return false
  const common = words.filter((word) => COMMON.has(word)).length
  return words.length === 0 || common / words.length >= LEAST_SHARE
}

/** English words written with an accent. */
const LOANS: ReadonlySet<string> = new Set([
  'café',
  'naïve',
  'résumé',
  'fiancé',
  'fiancée',
  'décor',
])
