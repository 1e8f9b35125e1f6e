import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { TextTransform } from '../../core/extension/middleware.ts'
import { type Known, knownOptions, wholeFrom } from '../option-check.ts'
import { type Finder, literalFinder, patternFinder, TextScanner } from './text-scanner.ts'

/** A replacement. */
export interface TextReplacement {
  /** A literal text, or a pattern. */
  readonly find: string | RegExp
  /** The replacement, or a function of the match. Default: empty, which removes it. */
  readonly with?: string | ((found: string) => string)
}

export interface TextTransformOptions {
  /** Of several matches at one position the first wins; replacements are not searched again. */
  readonly replace?: readonly TextReplacement[]
  /** Replaced by asterisks, except for its last `keep` characters. */
  readonly mask?: readonly (string | RegExp)[]
  /** Characters to keep at the end of a masked match. Default 0. */
  readonly keep?: number
  /** Texts at which the answer ends: nothing after them is shown or kept. */
  readonly cutAt?: string | readonly string[]
  /**
   * Maximum length of a pattern match in characters, and so of the text that is held back while one may
   * still follow; default 64, at most 4,096. Only this much of a longer match is replaced. Literal texts
   * hold back only their own length.
   */
  readonly longest?: number
}

/**
 * Replaces, masks or cuts the text of each answer as it streams. The result is the same with and
 * without streaming, and however the stream is split. Tool inputs do not change. It keeps no state. On
 * resume: a recorded answer is stored as changed and is not changed again; one interrupted by a crash
 * is requested again and changed from its beginning.
 * @throws EchelonError INVALID_CONFIG for invalid or missing options
 */
export function transformText(
  options: TextTransformOptions,
): Middleware<'transformText', undefined> {
  const finders = findersOf(options)
  return defineMiddleware({
    name: 'transformText',
    namespace: 'echelon',
    stream: (): TextTransform => new TextScanner(finders()),
  })()
}

const OPTIONS: Known<TextTransformOptions> = {
  replace: true,
  mask: true,
  keep: true,
  cutAt: true,
  longest: true,
}

const REPLACEMENT: Known<TextReplacement> = { find: true, with: true }

/** Checked once; a finder is created for each answer, since a pattern has a position. */
function findersOf(options: TextTransformOptions): () => readonly Finder[] {
  knownOptions('transformText', options, OPTIONS)
  const { replace = [], mask = [], keep = 0, cutAt = [], longest = 64 } = options
  for (const one of replace) knownOptions('transformText: replace', one, REPLACEMENT)
  wholeFrom(0, 'transformText', { keep })
  wholeFrom(1, 'transformText', { longest })
  if (longest > MOST_HELD) throw invalid(`longest is ${longest}; give at most ${MOST_HELD}`)
  const changes = [
    ...replace.map(({ find, with: instead = '' }) => ({ find, change: changeTo(instead) })),
    ...mask.map((find) => ({ find, change: (found: string) => masked(found, keep) })),
  ]
  const ends = [cutAt].flat()
  if (changes.length + ends.length === 0) throw invalid('say what to replace, to mask or to cut at')
  if ([...changes.map(({ find }) => find), ...ends].some((find) => find === '')) {
    throw invalid('an empty text is found everywhere; leave it out')
  }
  return () => [
    ...ends.map((end) => literalFinder(end, () => ({ length: end.length, text: '', isEnd: true }))),
    ...changes.map(({ find, change }) =>
      typeof find === 'string'
        ? literalFinder(find, () => ({ length: find.length, text: change(find) }))
        : patternFinder(sticky(find), longest, change),
    ),
  ]
}

const MOST_HELD = 4096

const changeTo =
  (instead: string | ((found: string) => string)) =>
  (found: string): string =>
    typeof instead === 'string' ? instead : instead(found)

function masked(found: string, keep: number): string {
  const characters = Array.from(found)
  const hidden = Math.max(0, characters.length - keep)
  return '*'.repeat(hidden) + characters.slice(hidden).join('')
}

const sticky = ({ source, flags }: RegExp): RegExp =>
  new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}y`)

const invalid = (what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `transformText: ${what}`)
