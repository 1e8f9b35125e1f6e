import assert from 'node:assert/strict'
import type { Json } from 'echelon/runtime'
import { seededRandom } from '../../packages/echelon/src/core/value/random.ts'
import { IS_WHOLE, SEED } from '../share.ts'

type Random = () => number

const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  'a'.repeat(5000),
  '\u0000',
  '\uD800',
  '__proto__',
  'data:image/png;base64,####',
  'http://127.0.0.1:1/',
  '../../etc',
  [],
  {},
  [[[[[[]]]]]],
  { type: 'object' },
  { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } },
  { $ref: '#' },
  { ['__proto__']: { a: 1 } },
  { role: 'user' },
]

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)]

/** The value with a few places replaced, removed, doubled or mixed up. */
function mutated(value: Json, random: Random, chance: number): Json {
  if (random() < chance) return pick(random, ODD) ?? null
  if (Array.isArray(value)) {
    const items = value.flatMap((item: Json) => {
      if (random() < chance) return []
      const one = mutated(item, random, chance)
      return random() < chance ? [one, one] : [one]
    })
    return random() < chance ? items.toReversed() : items
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    if (random() < chance) return []
    return [[random() < chance / 2 ? `${key}_` : key, mutated(item, random, chance)]]
  })
  return Object.fromEntries(entries)
}

/** The probability that each place of a body is damaged: most bodies get past the first checks. */
const CHANCES = [0, 0.003, 0.01, 0.03, 0.15]

/** Bodies that are not JSON, or larger than a reader expects. */
const RAW: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '"a"',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
]

/**
 * Random bodies: damaged valid ones, and some that are not JSON. A share of them in short tests.
 * @param valid valid bodies for the nth one
 */
export function* hostileBodies(valid: (n: number) => readonly Json[]): Generator<string> {
  const random = seededRandom(SEED)
  for (let n = 0; n < (IS_WHOLE ? 10_000 : 120); n++) {
    const body = pick(random, valid(n)) ?? {}
    const chance = pick(random, CHANCES) ?? 0
    yield random() < 0.02
      ? (pick(random, RAW) ?? '')
      : JSON.stringify(mutated(body, random, chance))
  }
}

const WITHIN_MS = 10_000

/** Sends each body: the server never fails, and always answers in time. @returns how often each status came */
export async function assertSurvives(
  url: string,
  bodies: Iterable<string>,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  for (const body of bodies) {
    const signal = AbortSignal.timeout(WITHIN_MS)
    const response = await fetch(url, { method: 'POST', body, signal })
    const text = await response.text()
    assert.notEqual(response.status, 500, `${body.slice(0, 500)} → ${text.slice(0, 500)}`)
    assert.doesNotMatch(text, /\n\s+at \S+ \(/, 'no stack')
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
  }
  return counts
}
