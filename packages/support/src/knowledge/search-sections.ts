import { fit, type LabeledText, likelihoods } from 'echelon/internal/classify'
import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'
import { keyOf, type TrainedModels } from '../understand/learning/trained-models.ts'
import type { Knowledge, Passage } from './knowledge.ts'
import type { Section } from './section.ts'

/**
 * Share of a question's words, weighted by rarity, that a section must hold to answer it: the less, the likelier the
 * section is by the form of the question.
 */
const ENOUGH: readonly { readonly from: number; readonly share: number }[] = [
  { from: 0.5, share: 0 },
  { from: 0.3, share: 0.15 },
  { from: 0.2, share: 0.35 },
  { from: 0.1, share: 0.55 },
]
const MOST_CHARACTERS = 500
/** Sections found by their words, and of these the likeliest, that are considered. */
const MOST_FOUND = 8
const MOST_LIKELY = 2
/** Share that one wording of a section's question and the question asked have in common if they are the same. */
const CLOSE = 0.7
/** Likelihood of a section by the form of a question that is as good as its very words. */
const CERTAIN = 0.65
/** Likelihood of a section by the form of a question with one word of its own. */
const SURE_OF_ONE = 0.6

/**
 * Answers questions from sections, by their words (stems, rarity, and words that mean the same) and by the form of the
 * question, which is compared with the wordings of each section's question. What no section fits is not answered. The
 * source of a section in place of a question gives that section.
 *
 * @param models classifiers that were trained on these sections before; others are trained with the first question
 */
export function searchSections(
  sections: readonly Section[],
  models: TrainedModels = () => undefined,
): Knowledge {
  const search = new MiniSearch<Section & { readonly id: number }>({
    fields: ['title', 'asked', 'text'],
    processTerm: termOf,
    extractField: (section, name) => fieldOf(section, name),
  })
  search.addAll(sections.map((section, id) => ({ ...section, id })))
  const held = sections.map((section) => new Set(wordsOf(allTextOf(section))))
  const asked = sections.map((one) => new Set(wordsOf([one.title, ...one.asked].join(' '))))
  const rarity = (word: string): number => {
    const count = held.filter((words) => words.has(word)).length
    return Math.log((1 + sections.length) / (1 + count)) + 1
  }
  let learned: Likelihoods | null = null
  /** How likely each section is meant; learned from the wordings of their questions when the first is asked. */
  const likelihoodOf = (question: string): ReadonlyMap<string | null, number> =>
    (learned ??= learnedForms(sections, models))(question)
  const phrases = sections.map(({ asked, title }) =>
    [title, ...asked].map((one) => new Set(wordsOf(one))),
  )
  /** Whether one wording of the section's question holds nearly all that is asked, and little else. */
  const isClose = (words: readonly string[], id: number): boolean => {
    const weightOf = (some: readonly string[]): number =>
      some.reduce((sum, word) => sum + rarity(word), 0)
    return (phrases[id] ?? []).some((own) => {
      const shared = weightOf(words.filter((word) => own.has(word)))
      return shared / Math.max(weightOf(words), weightOf([...own])) >= CLOSE
    })
  }
  const answer = (question: string, { isClosely = false } = {}): Passage | null => {
    const named = sections.find(({ source }) => source === question)
    if (named !== undefined) return { text: named.text, source: named.source }
    const words = [...new Set(wordsOf(question.slice(0, MOST_CHARACTERS)))]
    if (words.length === 0) return null
    const all = words.reduce((sum, word) => sum + rarity(word), 0)
    const likely = likelihoodOf(question.slice(0, MOST_CHARACTERS))
    const found = search.search(question.slice(0, MOST_CHARACTERS), {
      boost: { title: 2, asked: 3 },
      combineWith: 'OR',
    })
    const byWords = found.slice(0, MOST_FOUND).map(({ id }) => Number(id))
    const ranked = [...new Set([...byWords, ...likeliest(likely)])]
      .map((id) => ({ id, likelihood: likely.get(String(id)) ?? 0 }))
      .toSorted((one, other) => other.likelihood - one.likelihood)
    for (const { id, likelihood } of ranked.slice(0, MOST_LIKELY)) {
      const [own, section] = [held[id], sections[id]]
      if (own === undefined || section === undefined) continue
      // One word alone says too little, unless the section is about it.
      if (words.length === 1 && !asked[id]?.has(words[0] ?? '')) continue
      // Closely, one word is enough only where the form of the question fits as well.
      if (isClosely && words.length === 1 && likelihood < SURE_OF_ONE) continue
      if (isClosely && likelihood < CERTAIN && !isClose(words, id)) continue
      const share = words.reduce((sum, word) => sum + (own.has(word) ? rarity(word) : 0), 0) / all
      const enough = ENOUGH.find(({ from }) => likelihood >= from)?.share ?? Infinity
      if (share >= enough) return { text: section.text, source: section.source }
    }
    return null
  }
  return Object.assign(answer, { texts: sections.map(({ text }) => text) })
}

/** The section that the form of the question fits best, whatever its words. */
const likeliest = (likely: ReadonlyMap<string | null, number>): readonly number[] =>
  [...likely]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 1)
    .map(([label]) => Number(label))

type Likelihoods = ReturnType<typeof likelihoods>

/** The likelihoods used last, by the sections that they were learned from: agents of a program share their documents. */
const recentForms = new Map<string, Likelihoods>()
const MOST_KEPT = 4

function learnedForms(sections: readonly Section[], models: TrainedModels): Likelihoods {
  const rows = rowsOfSections(sections)
  const key = keyOf(rows)
  const forms = recentForms.get(key) ?? likelihoods(models(key) ?? fit(rows))
  recentForms.delete(key)
  recentForms.set(key, forms)
  for (const oldest of recentForms.keys()) {
    if (recentForms.size > MOST_KEPT) recentForms.delete(oldest)
  }
  return forms
}

/** The examples by which sections are told apart, by the place of each in the list. */
export const rowsOfSections = (sections: readonly Section[]): readonly LabeledText[] =>
  sections.flatMap(({ title, asked, text }, id) =>
    [title, ...asked, text].map((one) => ({ text: one, label: String(id) })),
  )

const fieldOf = (section: Section & { readonly id: number }, name: string): string => {
  if (name === 'title') return section.title
  if (name === 'asked') return section.asked.join('. ')
  return name === 'id' ? String(section.id) : section.text
}

const allTextOf = ({ title, asked, text, source }: Section): string =>
  [title, ...asked, text, source].join(' ')

/** Words that mean the same in a shop; the first stands for all. */
const SAME: readonly (readonly string[])[] = [
  ['refund', 'reimburse', 'reimbursement', 'repay', 'money'],
  ['return', 'returns', 'exchange', 'swap', 'back'],
  ['cancel', 'cancellation', 'cancelling', 'abort', 'withdraw'],
  [
    'deliver',
    'delivery',
    'ship',
    'shipping',
    'shipment',
    'postage',
    'dispatch',
    'arrive',
    'send',
    'sent',
  ],
  ['pay', 'payment', 'payments', 'paying', 'card', 'paypal', 'visa', 'mastercard', 'invoice'],
  ['fee', 'fees', 'charge', 'charges', 'cost', 'costs', 'price', 'penalty', 'expensive', 'free'],
  [
    'time',
    'long',
    'days',
    'day',
    'when',
    'soon',
    'fast',
    'quick',
    'quickly',
    'weeks',
    'week',
    'period',
    'window',
    'deadline',
    'hours',
    'late',
  ],
  ['policy', 'policies', 'rule', 'rules', 'terms', 'conditions'],
  ['account', 'profile', 'login'],
  ['newsletter', 'subscription', 'subscribe', 'unsubscribe', 'mailing'],
  ['contact', 'phone', 'email', 'call', 'reach', 'hotline', 'telephone'],
  ['change', 'edit', 'modify', 'update', 'amend', 'correct', 'alter', 'switch'],
  ['damaged', 'broken', 'defective', 'faulty', 'damage'],
  [
    'country',
    'countries',
    'abroad',
    'international',
    'overseas',
    'worldwide',
    'canada',
    'europe',
    'germany',
    'uk',
    'france',
    'australia',
    'mexico',
    'hawaii',
    'alaska',
  ],
  ['review', 'feedback', 'rating', 'opinion', 'complaint', 'complain'],
  ['color', 'colour', 'colors', 'colours', 'red', 'green', 'blue', 'black', 'white', 'brown'],
  ['size', 'sizes', 'bigger', 'smaller', 'larger', 'small', 'medium', 'large', 'xs', 'xl', 'xxl'],
  ['password', 'pin', 'passcode'],
  ['delete', 'close', 'terminate'],
  ['create', 'open', 'register', 'registration', 'sign', 'signup'],
  ['discount', 'coupon', 'voucher', 'promo', 'code', 'promotion', 'sale'],
]

const MEANS = new Map(
  SAME.flatMap((row) => row.map((word) => [stemmer(word), stemmer(row[0] ?? '')] as const)),
)

/** Words of questions that say nothing about their subject. */
const NO_SUBJECT: ReadonlySet<string> = new Set(
  `a about after all also am an and any are as ask at be been before but by can could did do does doing for from get
  got had has have hello help her here hey hi him his how i if in into is it its just know let like me might more much
  my need no not of off on once one only or our out please should so some something tell than thank thanks that the
  their them then there these they thing things this those to too up us use very want was way we well were what where
  which who why will with would you your yours happen happens would order orders item items product products what's
  i'm it's don't say says question understand see find give make really able possible information info details
  regarding concerning exactly currently wondering wonder wanna gonna got explain show assistance problem problems
  issue issues one two three four five first last another both true really sure take later necessary learn check checking purchase purchases shop store offer work works
  ok okay again anything everything whats dont im`.split(/\s+/),
)

/** The words of a text that say what it is about, in their plain form. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).flatMap((word) => termOf(word) ?? [])
}

function termOf(word: string): string | null {
  const plain = word.toLowerCase().replaceAll("'", '')
  if (NO_SUBJECT.has(word.toLowerCase()) || NO_SUBJECT.has(plain) || plain.length < 2) return null
  if (/^\d+$/.test(plain)) return null
  const stem = stemmer(plain)
  return MEANS.get(stem) ?? stem
}
