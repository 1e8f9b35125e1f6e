import { Misread } from './read/misread.ts'
import { type Found, type Parser, type Place, named, peek, take } from './read/place.ts'
import { type Step, counted } from './step.ts'

/** A step and where it leads: on with 1, back with -1. */
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

/** `go back 3 weeks from`, `count 30 days forward from`: all in front of the date it starts at. */
export const moving: Parser<Move> = (place) => {
  const verb = take(place, 'go', 'going', 'count', 'counting', 'move', 'moving', 'step', 'jump')
  const before = verb && direction(verb)
  const step = verb && counted(before?.rest ?? verb)
  const way = before ?? (step && direction(step.rest))
  if (!step || !way) return undefined
  const rest = take(before ? step.rest : way.rest, ...STARTS)
  if (!rest || isReturn(place, before)) return undefined
  return { value: { step: step.value, sign: way.value }, rest }
}

const STARTS = ['from', 'starting from', 'starting at', 'starting on', 'starting with']

/** Who will go back two days from tomorrow returns then, and counts nothing. */
function isReturn(place: Place, before: Found<1 | -1> | undefined): boolean {
  const isGoing = peek(place)?.text.startsWith('go') ?? false
  if (!isGoing || before?.value !== -1 || isOrder(place)) return false
  if (FUTURE.has(peek(place, -1)?.text ?? '')) return true
  throw new Misread('"go back" may mean to return or to count backwards')
}

/** Whether the verb here is an order (`take 3 weeks off`), or told of nobody (`if we take`). */
export const isOrder = (place: Place): boolean =>
  ORDERING.has(peek(place, -1)?.text ?? '') || HYPOTHETICAL.has(peek(place, -2)?.text ?? '')

const FUTURE = new Set(['ll', 'will'])
/** What stands in front of an order; nothing, if the question begins with it. */
const ORDERING = new Set(['', 'please', 'and', 'then', 'now', 'just'])
const HYPOTHETICAL = new Set(['if', 'when'])
