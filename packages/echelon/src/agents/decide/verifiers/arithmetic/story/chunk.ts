import { COLORS, POSES, singular, verbOf } from './lexicon.ts'
import { constant, numeral, type Term, times } from '../../english/term.ts'
import { markAt, type NumberToken, type Token, wordAt } from '../../english/token.ts'

/**
 * A group of words. Clause patterns are written in its `kind`: `number`, `money`, `percent` and `share` are
 * quantities with the noun that follows, `thing` is a noun with or without article, `one` a noun after "a" or
 * "one", `each` a noun after "each", "every" or "per". A verb has the name of its deed, and any other word is its
 * own kind.
 */
export interface Chunk {
  readonly kind: string
  /** The singular noun; the base form of a verb; '' if a quantity has no noun of its own. */
  readonly head: string
  readonly mods: readonly string[]
  /** The amount of a quantity. */
  readonly term?: Term
}

const ARTICLES = new Set('the his her their my its your our this these those'.split(' '))
const PRONOUNS = new Set('he she they it i we you him them me us'.split(' '))
const DROPPED = new Set(
  `do does did will would can could now then also still today yesterday tomorrow there away up down
  loose exactly if also later currently already`.split(/\s+/),
)
const CLOSED = new Set(
  `in on at to from for with of into onto plus minus inside among between by during per and but or nor than as
  many much more fewer less older younger longer shorter taller heavier lighter cheaper left off out
  each every all total how-many how-much how-far how-long how-old what who whom whose which that where
  when while because unless not no never none nothing without except both either neither other others
  another same some any several few most rest remaining remainder least only instead back again ago
  until before after different extra twice thrice double triple start beginning originally
  initially equally evenly equal don't doesn't didn't isn't aren't wasn't weren't can't won't couldn't`.split(
    /\s+/,
  ),
)
const PHRASES: readonly (readonly [phrase: string, word: string])[] = [
  ['how many', 'how-many'],
  ['how much', 'how-much'],
  ['how far', 'how-far'],
  ['how long', 'how-long'],
  ['how old', 'how-old'],
  ['in all', 'total'],
  ['in total', 'total'],
  ['altogether', 'total'],
  ['together', 'total'],
  ['years old', 'year'],
  ['get off', 'get-off'],
  ['got off', 'get-off'],
  ['get on', 'get-on'],
  ['got on', 'get-on'],
  ['on sale', ''],
  ['miles away', ''],
]

/** Groups the words of one sentence. */
export function chunk(sentence: readonly Token[]): readonly Chunk[] {
  const tokens = joinPhrases(sentence)
  const chunks: Chunk[] = []
  for (let at = 0; at < tokens.length;) {
    const [made, next] = readChunk(tokens, at, chunks.at(-1))
    if (made !== undefined) chunks.push(made)
    at = next
  }
  return foldContents(borrowNouns(chunks))
}

function joinPhrases(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const found = PHRASES.find(([phrase]) =>
      phrase.split(' ').every((word, i) => wordAt(tokens, at + i) === word),
    )
    const token = tokens[at]
    if (found !== undefined) joined.push({ type: 'word', word: found[1], name: false })
    else if (token !== undefined) joined.push(token)
    at += found?.[0].split(' ').length ?? 1
  }
  return joined
}

function readChunk(
  tokens: readonly Token[],
  at: number,
  before: Chunk | undefined,
): [Chunk | undefined, number] {
  const token = tokens[at]
  if (token?.type === 'number') return quantity(token, tokens, at)
  const word = wordAt(tokens, at)
  if (word === '') return [link(markAt(tokens, at)), at + 1]
  const factor = { twice: 2, thrice: 3 }[word]
  if (factor !== undefined) {
    return [
      { kind: 'number', head: 'time', mods: [], term: numeral(String(factor), -1 - at) },
      at + 1,
    ]
  }
  if (word === 'each' || word === 'every' || word === 'per') return noun('each', tokens, at + 1)
  if (word === 'a' || word === 'an') return noun('one', tokens, at + 1)
  if (word === 'her' && !opens(tokens, at + 1, true)) return [thing('her', []), at + 1]
  if (ARTICLES.has(word)) return article(tokens, at)
  if (PRONOUNS.has(word)) return [thing(word, []), at + 1]
  if (isDeed(tokens, at)) return [{ kind: 'do', head: 'do', mods: [] }, at + 1]
  if (DROPPED.has(word)) return [undefined, at + 1]
  if (word === 'left' && before !== undefined) return [link(word), at + 1]
  const verb = before?.kind === 'how-many' ? undefined : verbOf(word)
  if (verb !== undefined) return [{ kind: verb.deed, head: verb.verb, mods: [] }, at + 1]
  if (CLOSED.has(word)) return [link(word), at + 1]
  return noun('thing', tokens, at)
}

/** "Did 51 laps" has the deed; "how many laps did he do" has an auxiliary, followed by a verb. */
function isDeed(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (wordAt(tokens, at) === 'did') return next?.type === 'number'
  const asked = tokens.slice(0, at).some((_, i) => /^(?:did|does|do)$/.test(wordAt(tokens, i)))
  const ends = next === undefined || CLOSED.has(wordAt(tokens, at + 1))
  return wordAt(tokens, at) === 'do' && asked && ends
}

/** "her 31 cherries" and "the 80 students" are quantities. */
function article(tokens: readonly Token[], at: number): [Chunk | undefined, number] {
  return tokens[at + 1]?.type === 'number' ? [undefined, at + 1] : noun('thing', tokens, at + 1)
}

function link(word: string): Chunk | undefined {
  return word === '' ? undefined : { kind: word, head: word, mods: [] }
}

function thing(head: string, mods: readonly string[]): Chunk {
  return { kind: 'thing', head, mods }
}

function noun(kind: string, tokens: readonly Token[], start: number): [Chunk, number] {
  const [words, next] = nounWords(tokens, start)
  if (words.length === 0) {
    return [{ kind: kind === 'each' ? 'apiece' : kind, head: '', mods: [] }, next]
  }
  return [{ kind, ...headed(words) }, next]
}

function quantity(token: NumberToken, tokens: readonly Token[], at: number): [Chunk, number] {
  const over = slashed(token, tokens, at)
  if (over !== undefined) return over
  const more = wordAt(tokens, at + 1) === 'more' && opens(tokens, at + 2, true)
  const [nouns, next] = nounWords(tokens, at + (more ? 2 : 1))
  const words = more ? ['more', ...nouns] : nouns
  const kind = { '': 'number', $: 'money', '%': 'percent', '/': 'share' }[token.unit]
  return [{ kind, ...headed(words), term: token.term }, next]
}

/** "1/4 of his stamps". */
function slashed(
  token: NumberToken,
  tokens: readonly Token[],
  at: number,
): [Chunk, number] | undefined {
  const below = tokens[at + 2]
  if (markAt(tokens, at + 1) !== '/' || below?.type !== 'number') return undefined
  const term = times(token.term, inverse(below.term))
  return [{ kind: 'share', head: '', mods: [], term }, at + 3]
}

function inverse(term: Term): Term {
  return { ...term, text: `(1 / ${term.text})`, value: 1 / term.value, binds: 5 }
}

/** Up to four nouns and adjectives from here on; a verb form directly here counts as a noun. */
function nounWords(tokens: readonly Token[], start: number): [readonly string[], number] {
  const words: string[] = []
  let at = start
  while (words.length < 4 && opens(tokens, at, words.length === 0)) {
    const word = wordAt(tokens, at)
    if (!DROPPED.has(word)) words.push(word.replace(/'s?$/, ''))
    at += 1
  }
  // "45 cm long" is a measure in centimeters; "5 long nails" are a kind of nails.
  return [words.at(-1) === 'long' ? words.slice(0, -1) : words, at]
}

function opens(tokens: readonly Token[], at: number, first: boolean): boolean {
  const word = wordAt(tokens, at)
  if (!first && POSES.has(word)) return false
  if (word === '' || CLOSED.has(word) || PRONOUNS.has(word) || ARTICLES.has(word)) return false
  if (
    word === 'a' ||
    word === 'an' ||
    /^(?:do|does|did|will|would|can|could|there|now)$/.test(word)
  )
    return false
  return (
    verbOf(word) === undefined ||
    (first && tokens[at - 1]?.type !== 'mark' && nounPlace(tokens, at))
  )
}

/** After a number, "a", "each" or "her" a form such as "drinks" counts as a noun. */
function nounPlace(tokens: readonly Token[], at: number): boolean {
  const deed = verbOf(wordAt(tokens, at))?.deed
  const never =
    deed === 'be' || deed === 'have' || deed === 'cost' || deed === 'leave' || deed === 'come'
  return !never && !wordAt(tokens, at).endsWith('ed')
}

function headed(words: readonly string[]): { head: string; mods: readonly string[] } {
  const last = words.at(-1)
  if (last === undefined || COLORS.has(last)) return { head: '', mods: words }
  return { head: singular(last), mods: words.slice(0, -1) }
}

/** "3 red and 4 blue buckets": the first number takes the noun of the second. */
function borrowNouns(chunks: readonly Chunk[]): readonly Chunk[] {
  return chunks.map((one, at) => {
    if (one.kind !== 'number' || one.head !== '' || one.mods.length === 0) return one
    const other = chunks.slice(at + 1).find((later) => later.kind === 'number' && later.head !== '')
    return other === undefined ? one : { ...one, head: other.head }
  })
}

/** "4 packs of gum" are packs, told apart by the gum; "pieces of fruit" are fruit. */
function foldContents(chunks: readonly Chunk[]): readonly Chunk[] {
  const folded: Chunk[] = []
  for (let at = 0; at < chunks.length; at++) {
    const [one, of, content] = chunks.slice(at, at + 3)
    if (one === undefined) break
    const folds = one.head !== '' && of?.kind === 'of' && content?.kind === 'thing'
    if (folds && !PRONOUNS.has(content.head) && one.kind !== 'share' && one.kind !== 'percent') {
      const piece = one.head === 'piece'
      folded.push(
        piece ? { ...one, head: content.head } : { ...one, mods: [...one.mods, content.head] },
      )
      at += 2
    } else folded.push(one)
  }
  return folded
}

/** A single item, after "a", "one" or nothing. */
export const ONE: Term = constant(1)
