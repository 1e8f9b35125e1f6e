import type { Chunk } from './chunk.ts'
import { POSES, verbOf } from './lexicon.ts'

/** An adverbial phrase; `head` is its noun, and `phrase` that with the adjectives before it. */
export interface Place {
  readonly link: string
  readonly head: string
  readonly phrase: string
}

/** One statement: its chunks without adverbial phrases, and the nouns of those phrases. */
export interface Clause {
  readonly chunks: readonly Chunk[]
  readonly where: readonly Place[]
}

const PLACES = new Set([
  'in',
  'on',
  'at',
  'from',
  'to',
  'for',
  'into',
  'with',
  'inside',
  'during',
  'onto',
])
const TIMED = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'year'])
const MARKS = new Set([',', 'and', 'but', ';', 'or'])
const QUANTITIES = new Set(['number', 'money', 'percent', 'share'])
/** Words without information in a sentence that counts nothing and moves nothing. */
const IDLE = new Set(['thing', 'one', 'have', 'be', 'do', ...PLACES, 'of'])

/** Whether a group of words is a quantity. */
export function isQuantity(chunk: Chunk): boolean {
  return QUANTITIES.has(chunk.kind)
}

/**
 * The statements of a sentence. One without a verb takes subject and verb from the previous one, one without a
 * subject takes its subject. Undefined if a list of subjects leaves open who does what.
 */
export function clausesOf(sentence: readonly Chunk[]): readonly Clause[] | undefined {
  const clauses: Clause[] = []
  let before: readonly Chunk[] = []
  for (const part of parts(sentence)) {
    const verb = part.findIndex(isVerb)
    const last = before.findIndex(isVerb)
    if (verb < 0 && last < 0 && part.length < sentence.length) return undefined
    const whole =
      verb < 0
        ? [...before.slice(0, last + 1), ...part]
        : verb === 0
          ? [...before.slice(0, last), ...part]
          : part
    // "There are 3 cats and 2 dogs" has a verb and no subject to pass on.
    clauses.push(settle(verb === 0 && last <= 0 ? part : whole))
    before = whole
  }
  return sharePlace(clauses)
}

/** "There are 3 cats and 2 dogs in a yard": both are there. */
function sharePlace(clauses: readonly Clause[]): readonly Clause[] {
  const where = clauses.at(-1)?.where ?? []
  const shared =
    clauses[0]?.chunks[0]?.kind === 'be' &&
    clauses.slice(0, -1).every((one) => one.where.length === 0)
  return shared ? clauses.map((clause) => ({ ...clause, where })) : clauses
}

/** Whether a statement can be skipped: nothing in it is counted, moved or left open. */
export function isIdle(clause: Clause): boolean {
  return clause.chunks.every(({ kind }) => IDLE.has(kind))
}

/** Takes out the adverbial phrases, and rewrites "a hour" after a quantity as "each hour". */
export function settle(chunks: readonly Chunk[]): Clause {
  const kept: Chunk[] = []
  const where: Place[] = []
  for (let at = 0; at < chunks.length; at++) {
    const [one, two, three] = chunks.slice(at, at + 3)
    if (one === undefined) break
    if (two?.kind === 'each' && PLACES.has(one.kind) && one.kind !== 'for') continue
    const posed = one.kind === 'thing' && one.mods.length === 0 && POSES.has(one.head)
    if (posed) {
      where.push({ link: 'doing', head: one.head, phrase: one.head })
      continue
    }
    const adverbial = PLACES.has(one.kind) && isPlace(two) && three?.kind !== 'of'
    if (adverbial && two !== undefined) {
      where.push({ link: one.kind, head: two.head, phrase: [...two.mods, two.head].join(' ') })
      at += 1
    } else kept.push(perUnit(one, kept.at(-1)))
  }
  return { chunks: kept, where }
}

function isPlace(chunk: Chunk | undefined): boolean {
  return (
    chunk?.kind === 'thing' ||
    (chunk?.kind === 'one' && chunk.head !== '' && !TIMED.has(chunk.head))
  )
}

function perUnit(chunk: Chunk, before: Chunk | undefined): Chunk {
  const counted = before?.kind === 'number' || before?.kind === 'money'
  const each = chunk.kind === 'one' && counted ? { ...chunk, kind: 'each' } : chunk
  const daily = each.kind === 'each' && ['morning', 'evening', 'night'].includes(each.head)
  return daily ? { ...each, head: 'day' } : each
}

function isVerb(chunk: Chunk): boolean {
  return verbOf(chunk.head) !== undefined && verbOf(chunk.head)?.deed === chunk.kind
}

function parts(sentence: readonly Chunk[]): readonly (readonly Chunk[])[] {
  const found: Chunk[][] = [[]]
  for (const chunk of sentence) {
    if (MARKS.has(chunk.kind)) found.push([])
    else found.at(-1)?.push(chunk)
  }
  return found.filter((part) => part.length > 0)
}
