import { compareText, type DumpStyle, dumps } from '../python/json.ts'
import { pairsText, sha256, tupleText } from '../python/hash.ts'
import { type Dict, isDict, type PyValue } from '../python/value.ts'
import type { TauData } from './tau-data.ts'

/** One way to make a hash of a whole database. */
export interface HashFormula {
  readonly name: string
  /** The text of one record. */
  readonly record: (record: Dict) => string
  /** The text of a dict whose values are texts already, by sorted keys. */
  readonly join: (pairs: readonly (readonly [string, string])[]) => string
}

/** How tau-bench does it: `str()` of nested tuples. */
export const TUPLES: HashFormula = {
  name: 'sha256 of str(tuples)',
  record: tupleText,
  join: pairsText,
}

const asJson = (name: string, style: DumpStyle, before = (value: Dict): PyValue => value) => {
  const sorted = { ...style, sortKeys: true }
  const join = (pairs: readonly (readonly [string, string])[]): string =>
    `{${pairs.map(([key, text]) => dumps(key, style) + (style.key ?? ': ') + text).join(style.item ?? ', ')}}`
  return { name, record: (record: Dict) => dumps(before(record), sorted), join }
}

/** Floats without a fraction as ints: what JSON is once JavaScript has read it. */
function asInts(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(asInts)
  if (isDict(value)) return new Map([...value].map(([key, item]) => [key, asInts(item)]))
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}

const COMPACT = { item: ',', key: ':' }

/** The formulas that are tried on a hash that is recorded, the likeliest first. */
export const FORMULAS: readonly HashFormula[] = [
  TUPLES,
  asJson('sha256 of json.dumps(sort_keys)', {}),
  asJson('sha256 of json.dumps(sort_keys, compact)', COMPACT),
  asJson('sha256 of json.dumps(sort_keys, not ascii)', { ascii: false }),
  asJson('sha256 of json.dumps(sort_keys, compact, not ascii)', { ...COMPACT, ascii: false }),
  asJson('sha256 of JSON.stringify, sorted', { ...COMPACT, ascii: false }, asInts),
]

/** Makes hashes of one base's databases; what the files say is sorted and put into text once. */
export class DatabaseHash {
  readonly formula: HashFormula
  readonly #tables = new WeakMap<ReadonlyMap<string, Dict>, readonly Pair[]>()

  constructor(formula: HashFormula) {
    this.formula = formula
  }

  /** @param names the tables that count; default all */
  of(data: TauData, names: readonly string[] = data.names): string {
    const tables = names.toSorted(compareText).map((name): Pair => {
      const { base, own } = data.table(name)
      return [name, this.formula.join(this.#withOwn(this.#pairs(base), own))]
    })
    return sha256(this.formula.join(tables))
  }

  #pairs(base: ReadonlyMap<string, Dict>): readonly Pair[] {
    const known = this.#tables.get(base)
    if (known !== undefined) return known
    const pairs = [...base]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([id, record]): Pair => [id, this.formula.record(record)])
    this.#tables.set(base, pairs)
    return pairs
  }

  #withOwn(pairs: readonly Pair[], own: ReadonlyMap<string, Dict>): readonly Pair[] {
    if (own.size === 0) return pairs
    const texts = new Map(pairs)
    for (const [id, record] of own) texts.set(id, this.formula.record(record))
    const all = [...texts]
    return all.length === pairs.length ? all : all.toSorted(([a], [b]) => compareText(a, b))
  }
}

type Pair = readonly [key: string, text: string]
