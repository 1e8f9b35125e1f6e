import { Misread } from './read/misread.ts'
import { type Found, type Parser, type Cursor, named, peek, take } from './read/cursor.ts'
import { type Step, counted } from './step.ts'

/** A step and its direction: 1 forward, -1 back. */
export interface Move {
  readonly step: Step
  readonly sign: 1 | -1
}

const direction = named<1 | -1>(
  new Map([
    ['back', -1],
    ['backward', -1],
    ['backwards', -1],
    ['forward', 1],
    ['forwards', 1],
    ['ahead', 1],
  ]),
)

/** `go back 3 weeks from`, `count 30 days forward from`: everything before the starting date. */
export const moving: Parser<Move> = (cursor) => {
  const verb = take(cursor, 'go', 'going', 'count', 'counting', 'move', 'moving', 'step', 'jump')
  const before = verb && direction(verb)
  const step = verb && counted(before?.rest ?? verb)
  const way = before ?? (step && direction(step.rest))
  if (!step || !way) return undefined
  const rest = take(before ? step.rest : way.rest, ...STARTS)
  if (!rest || isReturn(cursor, before)) return undefined
  return { value: { step: step.value, sign: way.value }, rest }
}

const STARTS = ['from', 'starting from', 'starting at', 'starting on', 'starting with']

/** Whether `go back` means to return, as in `I will go back two days from tomorrow`. */
function isReturn(cursor: Cursor, before: Found<1 | -1> | undefined): boolean {
  const isGoing = peek(cursor)?.text.startsWith('go') ?? false
  if (!isGoing || before?.value !== -1 || isInstruction(cursor)) return false
  if (FUTURE.has(peek(cursor, -1)?.text ?? '')) return true
  throw new Misread('"go back" may mean to return or to count backwards')
}

/** Whether the verb is an imperative (`take 3 weeks off`) or hypothetical (`if we take`). */
export const isInstruction = (cursor: Cursor): boolean =>
  BEFORE_IMPERATIVE.has(peek(cursor, -1)?.text ?? '') ||
  HYPOTHETICAL.has(peek(cursor, -2)?.text ?? '')

const FUTURE = new Set(['ll', 'will'])
/** Words before an imperative; the empty string for the start of the question. */
const BEFORE_IMPERATIVE = new Set(['', 'please', 'and', 'then', 'now', 'just'])
const HYPOTHETICAL = new Set(['if', 'when'])
