import { drawFrom } from './draw.ts'
import type { Grammar, Item } from './item.ts'
import { type Judgment, judge, type Verdict } from './judge.ts'

/** Tries before a grammar counts as unable to make a question. */
const MOST_TRIES = 1000
const TRIES_OF_A_WORDING = 20

/** The source of a question: the same kind and place make the same one. */
export interface Place {
  readonly seed: number
  readonly nth: number
  /** Other numbers in the same wording; 0 by default. */
  readonly numbers?: number
}

export function itemOf(grammar: Grammar, { seed, nth, numbers = 0 }: Place): Item {
  const kind = Array.from(grammar.kind).reduce(
    (sum, char) => (sum * 31 + char.charCodeAt(0)) | 0,
    7,
  )
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // Numbers that make no question are redrawn in the same wording, a limited number of times.
    const wording = [seed, kind, nth, Math.floor(tries / TRIES_OF_A_WORDING)]
    const made = grammar.make(drawFrom({ wording, numbers: [seed, kind, nth, numbers, tries] }))
    if (made !== undefined) {
      return { kind: grammar.kind, control: grammar.control ?? false, ...made }
    }
  }
  throw new Error(`the grammar of "${grammar.kind}" makes no question`)
}

/** The results for the questions of one kind. */
export interface Tally {
  readonly kind: string
  readonly control: boolean
  readonly tried: number
  /** Different texts among them. */
  readonly different: number
  readonly counts: Readonly<Record<Verdict, number>>
  readonly failures: readonly (Item & Judgment)[]
}

/** Tries so many questions of each kind. */
export function tallyOf(
  grammars: readonly Grammar[],
  seed: number,
  each: number,
): readonly Tally[] {
  return grammars.map((grammar) => {
    const counts: Record<Verdict, number> = { right: 0, unchecked: 0, wrong: 0, ambiguous: 0 }
    const failures: (Item & Judgment)[] = []
    const texts = new Set<string>()
    for (let nth = 0; nth < each; nth++) {
      const item = itemOf(grammar, { seed, nth })
      texts.add(item.text)
      const judgment = judge(item)
      counts[judgment.verdict]++
      if (isFailure(judgment)) failures.push({ ...item, ...judgment })
    }
    const { kind, control = false } = grammar
    return { kind, control, tried: each, different: texts.size, counts, failures }
  })
}

const isFailure = ({ verdict }: Judgment): boolean => verdict === 'wrong' || verdict === 'ambiguous'

/** The same kinds of several seeds as one. */
export function sumOf(runs: readonly (readonly Tally[])[]): readonly Tally[] {
  const [first = [], ...others] = runs
  return others.reduce((sum, run) => sum.map((tally, at) => added(tally, run[at])), first)
}

function added(a: Tally, b: Tally | undefined): Tally {
  if (b === undefined) return a
  return {
    ...a,
    tried: a.tried + b.tried,
    different: a.different + b.different,
    counts: {
      right: a.counts.right + b.counts.right,
      unchecked: a.counts.unchecked + b.counts.unchecked,
      wrong: a.counts.wrong + b.counts.wrong,
      ambiguous: a.counts.ambiguous + b.counts.ambiguous,
    },
    failures: [...a.failures, ...b.failures],
  }
}
