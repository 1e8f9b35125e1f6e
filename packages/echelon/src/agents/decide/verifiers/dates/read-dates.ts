import { askedPhrase } from './ask.ts'
import { type DatePiece, piecesOf } from './piece.ts'
import { toldPhrase } from './told.ts'
import { match } from '../english/pattern.ts'

type Pieces = readonly DatePiece[]

/**
 * The calendar's phrase for a question about dates, or undefined if not all of the question is read, or it is
 * ambiguous. Every word must have its place: the question, the named days, and at most one plain statement about
 * one event.
 */
export function readDates(question: string, today: string): string | undefined {
  const pieces = withoutWorkRule(withoutCourtesies(piecesOf(question, today)))
  const supposed = match('if|suppose|assuming t:date is|was|were d:date', pieces.slice(0, 4))
  const other = supposed?.['t']?.phrase === 'today' ? supposed['d']?.day?.iso : undefined
  if (other === undefined || pieces[4]?.kind !== ',') return read(pieces)
  const asked = withoutCourtesies(piecesOf(question, other)).slice(5)
  const phrase = read(asked)
  return phrase && `if today is ${other}, ${phrase}`
}

function read(pieces: Pieces): string | undefined {
  return askedPhrase(pieces) ?? toldPhrase(pieces)
}

const FRONT: readonly string[] = [
  'hi|hello|hey|ok|okay|so|then|and|please|well there? ,|colon|-|stop?',
  'quick question colon|-|,?',
  'can|could|would|will you please|kindly?',
  'do you happen? to? know',
  'i would? like|want|need to know',
  'i wonder',
  'tell|give|show|find|get|calculate|compute|determine|name|say me|us? ,|colon?',
  'work out',
  'look up',
]
const BACK: readonly string[] = [
  'asked|stop',
  ',? please',
  ',? thanks',
  ',? thank you',
  ',? for me',
  'in the us|usa',
]

function withoutCourtesies(pieces: Pieces): Pieces {
  let rest = pieces
  for (let count = 0; count < 8; count++) {
    const front = longest(FRONT, (size) => rest.slice(0, size))
    const back = longest(BACK, (size) => (size === 0 ? [] : rest.slice(-size)))
    if (front + back === 0 || front + back >= rest.length) return rest
    rest = rest.slice(front, back === 0 ? undefined : -back)
  }
  return rest
}

function longest(patterns: readonly string[], part: (size: number) => Pieces): number {
  const sizes = [5, 4, 3, 2, 1].filter((size) => {
    const pieces = part(size)
    return pieces.length === size && patterns.some((pattern) => match(pattern, pieces))
  })
  return sizes[0] ?? 0
}

const WORK_RULE =
  /^(?:stop |\( )?(?:count(?:ing)? )?(?:only )?(?:weekday (?:to|through) weekday (?:only )?)?(?:and )?(?:(?:ignore|ignoring|disregard|disregarding) (?:all |any )?(?:public |bank )?holidays )?(?:weekends (?:do not|don ' t) count )?(?:\) )?$/

/** The working-day rule was considered when the days were read. */
function withoutWorkRule(pieces: Pieces): Pieces {
  if (!pieces.some(({ phrase }) => phrase.includes('working day'))) return pieces
  for (let at = 1; at < pieces.length; at++) {
    const shape = pieces
      .slice(at)
      .map(({ kind }) => `${kind} `)
      .join('')
    if (shape !== '' && WORK_RULE.test(shape)) {
      const kept = pieces.slice(0, at)
      return kept.at(-1)?.kind === 'asked' ? kept.slice(0, -1) : kept
    }
  }
  return pieces
}
