import { unsupportedFigures } from '../../core/figures/unsupported-figures.ts'
import type { Json } from '../../core/value/json.ts'
import { answerText } from '../text/answer-text.ts'
import type { Attempt } from '../answer.ts'
import { refuted, scored, silent, type Verifier } from '../verifier.ts'
import { partsOf, rootOf, rootsIn } from '../words.ts'
import { saysTheSame } from './denial.ts'
import { type Passage, passagesOf, sentencesIn } from './passages.ts'

/**
 * Looks for each sentence of an answer in the task's sources and the tools' results. A
 * sentence is supported if one passage, with the question, holds most of its words, all its names and figures, and
 * denies what it denies. Nothing is computed or inferred, so an answer in other words than its source scores low.
 *
 * Refuted if a figure is in no source, in no result and not in the question. Else scored by the mean support of its
 * sentences: 1 if a passage holds three fifths of the words, less if it holds fewer, 0 if figures, names or a negation
 * differ. Silent without sources and results, and for an answer that states nothing.
 *
 * Features: `grounded.supported`, the share of sentences that are supported; `grounded.sentences`, how many state
 * something; `grounded.unsupported`, how many are not supported; `grounded.figures`, the figures that are found nowhere;
 * `grounded.misplaced`, the sentences whose figures are not in the passage with their words; `grounded.names`, those with a
 * name that no passage holds; `grounded.least`, the share of words in the passage that is nearest, of the worst
 * sentence.
 */
export function grounded(): Verifier {
  return {
    name: 'grounded',
    features: Object.keys(featuresOf([], [])),
    verify(attempt) {
      const passages = passagesOf(attempt)
      const held = heldBy(attempt.task.question, passages)
      const findings = sentencesIn(answerText(attempt.answer))
        .slice(0, MOST_SENTENCES)
        .flatMap((sentence) => findingOf(sentence, held) ?? [])
      const missing = passages.length === 0 ? [] : figuresNowhere(attempt)
      const features = featuresOf(findings, missing)
      if (passages.length === 0) return silent('there is nothing to rely on', features)
      if (missing.length > 0) {
        return refuted(
          `no source holds ${counted(missing.length, 'figure')} of the answer`,
          features,
        )
      }
      if (findings.length === 0) return silent('the answer states nothing to check', features)
      const without = findings.filter(({ isSupported }) => !isSupported).length
      const reason =
        without === 0
          ? 'the sources hold each sentence'
          : `the sources do not hold ${counted(without, 'sentence')} of ${findings.length}`
      const support = findings.reduce((sum, finding) => sum + finding.support, 0)
      return scored(support / findings.length, reason, features)
    },
  }
}

const MOST_SENTENCES = 300
/** Share of a sentence's words that its passage must hold. */
const MOST_OF = 0.6

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Evidence for one sentence that states something. */
interface Finding {
  readonly isSupported: boolean
  /** Degree of support, 0 to 1. */
  readonly support: number
  readonly isMisplaced: boolean
  readonly lacksName: boolean
  /** Share of its words in the nearest passage. */
  readonly share: number
}

function figuresNowhere({ task, answer, made }: Attempt): readonly string[] {
  const { question, earlier = [], sources = [], today } = task
  const held: readonly Json[] = [
    question,
    ...earlier,
    ...sources.map(({ text }) => text),
    ...(today === undefined ? [] : [today]),
    ...made.flatMap(({ call, outcome }) =>
      outcome.type === 'ok' ? [call.input, outcome.value] : [],
    ),
  ]
  return unsupportedFigures(answerText(answer), held)
}

/** The texts that sentences are compared with. */
interface Held {
  readonly question: string
  /** The roots of the question's words. */
  readonly asked: ReadonlySet<string>
  readonly passages: readonly Passage[]
  /** The roots of the question and all passages. */
  readonly known: ReadonlySet<string>
}

function heldBy(question: string, passages: readonly Passage[]): Held {
  const asked = new Set(partsOf(question).map(rootOf))
  const known = new Set(asked)
  for (const { roots } of passages) for (const root of roots) known.add(root)
  return { question, asked, passages, known }
}

function findingOf(
  sentence: string,
  { question, asked, passages, known }: Held,
): Finding | undefined {
  const stated = [...new Set(rootsIn(sentence))].filter(
    (root) => !POLITE.has(root) && !isFigure(root),
  )
  const added = stated.filter((root) => !asked.has(root))
  // A question's own words say little, unless the sentence has no others.
  const own = added.length > 0 ? added : stated
  if (own.length === 0) return undefined
  const digits = partsOf(sentence).filter((part) => /^\p{N}/u.test(part))
  const ranked = passages
    .map((passage) => ({
      passage,
      share: own.filter((root) => passage.roots.has(root)).length / own.length,
      digits: digits.filter((part) => passage.roots.has(part)).length,
    }))
    // Many passages may have the same wording, like the rows of a table.
    .toSorted((a, b) => b.share - a.share || b.digits - a.digits)
  // Two sentences in a row may mix the figures of one with the words of the other.
  const alone = ranked.filter(({ passage }) => !passage.isPair)
  const nearest = (alone.some(isNear) ? alone : ranked).slice(0, NEAREST)
  const names = namesIn(sentence)
  const sound = nearest.filter(
    ({ passage }) => unsupportedFigures(sentence, [passage.text, question]).length === 0,
  )
  const carrying = sound.filter(
    ({ passage }) =>
      names.every((name) => passage.roots.has(name) || asked.has(name)) &&
      saysTheSame(sentence, passage, own),
  )
  const isMisplaced = nearest.some(isNear) && !sound.some(isNear)
  return {
    isSupported: carrying.some(isNear),
    support: isMisplaced ? 0 : Math.min(1, (carrying[0]?.share ?? 0) / MOST_OF),
    isMisplaced,
    lacksName: names.some((name) => !known.has(name)),
    share: nearest[0]?.share ?? 0,
  }
}

const isNear = ({ share }: { readonly share: number }): boolean => share >= MOST_OF

/** Passages that are looked at closely. */
const NEAREST = 5

const POLITE: ReadonlySet<string> = new Set(
  rootsIn(
    'sure certainly happy glad help thanks thank welcome hello hi sorry question questions let know feel free further anything else',
  ),
)

/** Numbers and days are looked for as such, in any notation. */
const isFigure = (root: string): boolean => /^\p{N}/u.test(root) || DAYS.has(root)

const DAYS: ReadonlySet<string> = new Set(
  rootsIn(
    `january february march april june july august september october november december jan feb mar apr jun jul aug
     sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday`,
  ),
)

/** The roots of words with a capital, apart from the first of the sentence. */
function namesIn(sentence: string): readonly string[] {
  const [, ...words] = sentence.trim().split(/\s+/)
  return words.flatMap((word) => {
    const [, name = 'I'] = /^\P{L}*(\p{Lu}[\p{L}\p{N}]*)/u.exec(word) ?? []
    return name === 'I'
      ? []
      : partsOf(name)
          .map(rootOf)
          .filter((root) => !isFigure(root))
  })
}

function featuresOf(
  findings: readonly Finding[],
  missing: readonly string[],
): Readonly<Record<string, number>> {
  const count = (of: (finding: Finding) => boolean): number => findings.filter(of).length
  const supported = count(({ isSupported }) => isSupported)
  return {
    'grounded.supported': findings.length === 0 ? 0.5 : supported / findings.length,
    'grounded.sentences': findings.length,
    'grounded.unsupported': findings.length - supported,
    'grounded.figures': missing.length,
    'grounded.misplaced': count(({ isMisplaced }) => isMisplaced),
    'grounded.names': count(({ lacksName }) => lacksName),
    'grounded.least': Math.min(1, ...findings.map(({ share }) => share)),
  }
}
