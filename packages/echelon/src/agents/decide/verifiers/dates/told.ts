import { match } from '../english/pattern.ts'
import type { DatePiece } from './piece.ts'

type Pieces = readonly DatePiece[]

/** Asks for the stated day. */
const THAT: readonly string[] = [
  'which',
  'which is|was|will|would|does|did|must that|this be|fall|land? on?',
  'what? is|was? the? kind of|for? that|this',
  'when is|was|will that|this be?',
  'kind',
]
/** The same with "it", which stands for the one thing stated. */
const IT: readonly string[] = [
  'which is|was|will|would|does|did|must it be|fall|land? on?',
  'which it is|was|fell',
  'what? is|was? the kind of|for it',
  'when is|was|will it be?',
]
/** Asks for a day at a distance from it. */
const STEPS: readonly (readonly [pattern: string, side: string])[] = [
  ['which is|was|comes|falls n:length later|afterwards', 'after'],
  ['which is|was|comes|falls n:length earlier|beforehand', 'before'],
  ['which is|was|comes|falls n:length after that', 'after'],
  ['which is|was|comes|falls n:length before that', 'before'],
  ['what? is|was? the kind n:length later|afterwards', 'after'],
  ['what? is|was? the kind n:length earlier', 'before'],
  ['what? is|was? the kind n:length after that', 'after'],
  ['what? is|was? the kind n:length before that', 'before'],
]
const ECHO = /^which (?:is|was|did|do|does|will|were|am|are) ((?:[a-z]+ )+?)(?:on )?$/

/** The calendar's phrase for a statement with one day and a question that refers to it. */
export function toldPhrase(pieces: Pieces): string | undefined {
  for (let at = pieces.length - 2; at > 0; at--) {
    const { kind } = pieces[at] ?? { kind: '' }
    if (!['stop', ',', ';', 'colon', '-'].includes(kind)) continue
    const told = withoutFrame(pieces.slice(0, at))
    const asking = withoutLink(pieces.slice(at + 1))
    const phrase = answered(told, asking)
    if (phrase !== undefined) return phrase
  }
  return undefined
}

const FRAMES = new Set(['if', 'suppose', 'supposing', 'assuming', 'since'])
const LINKS = new Set(['so', 'and', 'then', ','])

const withoutFrame = (pieces: Pieces): Pieces =>
  FRAMES.has(pieces[0]?.kind ?? '') ? pieces.slice(1) : pieces

function withoutLink(pieces: Pieces): Pieces {
  const first = pieces.findIndex(({ kind }) => !LINKS.has(kind))
  return first < 0 ? [] : pieces.slice(first)
}

function answered(told: Pieces, asking: Pieces): string | undefined {
  const days = told.filter(({ kind }) => kind === 'date')
  const [only] = days
  if (only?.day === undefined || days.length > 1 || only.day.yearless) return undefined
  if (only.day.coming) return undefined
  const refers = THAT.some((pattern) => match(pattern, asking))
  if (refers) return isPlain(told) ? only.phrase : continued(told, only)
  if (!isPlain(told)) return undefined
  if (IT.some((pattern) => match(pattern, asking)) || echoes(told, asking)) return only.phrase
  for (const [pattern, side] of STEPS) {
    const { n } = match(pattern, asking) ?? {}
    if (n !== undefined) return stepped(n, side, only)
  }
  return undefined
}

/** "It began on June 3, 2019 and ends two years later": the same thing, in the same sentence. */
function continued(told: Pieces, only: DatePiece): string | undefined {
  const n = told.at(-2)
  const isLater = ['later', 'afterwards'].includes(told.at(-1)?.kind ?? '')
  const at = told.findIndex(({ kind }) => kind === 'and')
  const first = told.slice(0, at)
  const second = told.slice(at + 1, -2)
  const fits = n?.kind === 'length' && isLater && at > 0 && first.includes(only)
  // One word, the verb: another subject would be another event.
  if (!fits || second.length !== 1 || !isPlain(first) || !isPlain(second)) return undefined
  return stepped(n, 'after', only)
}

function stepped(n: DatePiece, side: string, { phrase, day }: DatePiece): string | undefined {
  const isClear = (n.months ?? 0) === 0 || Number(day?.iso?.slice(-2)) <= 28
  return isClear ? `${n.phrase} ${side} ${phrase}` : undefined
}

const MOST_WORDS = 20

/** Words that may refer to another day, several days or none, or express doubt. */
const DOUBTFUL = new Set(
  `and or nor but while when whenever after before until till since by during within between from to
  than as if whether unless except without instead not no never neither none every each daily weekly
  monthly yearly annual annually anniversary again ago later earlier afterwards beforehand next last
  past previous previously following coming upcoming first second third other another both either
  about around roughly nearly almost approximately circa maybe perhaps probably possibly might may
  could would moved move moves postponed postpone rescheduled delayed shifted extended pushed
  brought cancelled canceled changed originally initially usually normally supposed lunar julian
  orthodox hebrew jewish islamic chinese persian what which who whom whose where why how half quarter
  couple few several dozen once twice times hundred thousand age aged old`.split(/\s+/),
)

/** One clause about one event, without anything that could change the day. */
function isPlain(told: Pieces): boolean {
  const words = told.filter(({ kind }) => kind !== 'date')
  return (
    words.length <= MOST_WORDS &&
    words.every(({ kind, phrase }) => kind === phrase && isWord(kind) && !DOUBTFUL.has(kind))
  )
}

const isWord = (kind: string): boolean => /^(?:\p{L}+|'s|')$/u.test(kind)

/** "What day was I born on?", after the statement "I was born". */
function echoes(told: Pieces, asking: Pieces): boolean {
  const shape = asking.map(({ kind }) => `${kind} `).join('')
  const echo = ECHO.exec(shape)?.[1]?.trim().split(' ') ?? []
  const words = told.map(({ kind }) => kind)
  const isTold = (word: string): boolean =>
    words.some((one) => one === word || [`${word}s`, `${word}d`, `${word}ed`].includes(one))
  const isSubject = (word: string): boolean => ['it', 'he', 'she', 'they'].includes(word)
  const speaks = words.some((word) => ['i', 'we', 'you', 'my', 'our', 'your'].includes(word))
  const others = echo.filter((word) => !(isSubject(word) && !speaks && word !== 'they'))
  return echo.length > 0 && others.length > 0 && others.every(isTold)
}
