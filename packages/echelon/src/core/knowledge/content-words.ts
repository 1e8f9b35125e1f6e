/** Longer texts are cut to their first words. */
const MOST_WORDS = 64

/**
 * The words of a text that tell what it is about, lower case, each once: without question words, stop
 * words and short numbers, which nearly every text holds. English stop words; words of other languages
 * all count.
 */
export function contentWords(text: string): readonly string[] {
  const words = new Set(
    (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => word.toLowerCase()),
  )
  return [...words].filter(isTelling).slice(0, MOST_WORDS)
}

const isTelling = (word: string): boolean => !COMMON.has(word) && !/^\p{N}{1,2}$/u.test(word)

const COMMON: ReadonlySet<string> = new Set(
  (
    'a about again all also am an and any anyone anything are as ask at be been being but by can could did do ' +
    'does doing don done each else ever every for from get gets getting give given go goes going got ' +
    'had happen happens has have having he hello help her here hey hi him his how i if in into is it its ' +
    'just know let like ll long make makes many may me might mine more most much must my need no not now of ' +
    'off often ok okay on once one only or our out please put re really s same say shall she should so some ' +
    'someone something such sure t take takes tell than thank thanks that the their them then there ' +
    'these they thing things this those to too under until up us use ve very want was we well were what when ' +
    'where whether which while who whom whose why will with without would yes you your yours'
  ).split(' '),
)
