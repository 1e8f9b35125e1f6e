import { isRecord } from 'echelon/internal/value'

/*
 * An upper bound on the cost of judging a condition, computed from its text, with loops multiplied, and the size
 * of its data. A condition that would take forever is thus never started.
 */

/** An upper bound on the size of a value. */
export interface Size {
  /** Elements of its longest list, or keys of its largest object. */
  readonly elements: number
  /** Characters of its longest text. */
  readonly characters: number
  /** Of the whole value; each inner value counts as a hundred characters. */
  readonly weight: number
}

/** The size assumed for data when a file is read: an order of twenty items. */
export const USUAL: Size = { elements: 20, characters: 2_000, weight: 20_000 }

/** For data too large to measure; finite, since infinity times zero is not a number. */
const ENDLESS: Size = { elements: 1e12, characters: 1e12, weight: 1e12 }
const MOST_WEIGHT = 10_000_000
const MOST_DEPTH = 64

/** Characters of a text that are scanned in the time of one step. */
const A_STEP = 100
/** The weight of a value besides its characters. */
const VALUE = 100

const PLAIN: Size = { elements: 0, characters: 0, weight: VALUE }

/** The size of a fact; endless if it is too large or too deep to measure. */
export function sizeOf(value: unknown): Size {
  const found = { elements: 0, characters: 0, weight: 0 }
  return measured(value, found, 0) ? found : ENDLESS
}

/** Adds to the measured size; false if it is too much. */
function measured(
  value: unknown,
  found: { elements: number; characters: number; weight: number },
  depth: number,
): boolean {
  found.weight += VALUE
  if (typeof value === 'string') {
    found.weight += value.length
    found.characters = Math.max(found.characters, value.length)
  }
  if (found.weight > MOST_WEIGHT || depth > MOST_DEPTH) return false
  if (!Array.isArray(value) && !isRecord(value)) return true
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value).flat()
  const count = Array.isArray(value) ? inner.length : inner.length / 2
  found.elements = Math.max(found.elements, count)
  return inner.every((one) => measured(one, found, depth + 1))
}

interface Bound extends Size {
  readonly steps: number
}

const NOTHING: Bound = { steps: 0, ...PLAIN }

/** The size of a named value. */
type Names = (name: string) => Size

/**
 * Upper bound on the steps that judging a condition takes.
 * @param ast the parsed condition
 */
export const stepsOf = (ast: unknown, sizes: Names): number => Math.ceil(bound(ast, sizes).steps)

function bound(node: unknown, names: Names): Bound {
  if (!isNode(node)) return { steps: 1, ...PLAIN }
  const { op, args } = node
  switch (op) {
    case 'value':
      return { steps: 1, ...sizeOf(args) }
    case 'id':
      return { steps: 1, ...names(String(args)) }
    case 'call':
    case 'rcall':
      return called(listOf(args), names)
    case '.':
    case '.?':
    case '[]':
    case '[?]':
      return within(operandsOf(args, names))
    case '==':
    case '!=':
      return compared(operandsOf(args, names))
    case 'in':
      return sought(operandsOf(args, names))
    case '&&':
    case '||':
    case '!_':
    case '-_':
      return { ...PLAIN, steps: steps(operandsOf(args, names)) }
    case '?:':
    case 'list':
    case 'map':
      return collected(operandsOf(args, names))
    default:
      return worked(operandsOf(args, names))
  }
}

/** Steps that an error takes: these loops continue after one, so each element may raise one. */
const AN_ERROR = 100
const GOING_ON: ReadonlySet<string> = new Set(['all', 'exists'])
const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

function called(args: readonly unknown[], names: Names): Bound {
  const [name] = args
  const receiver = args.length > 2 ? args[1] : undefined
  const given = listOf(args.at(-1))
  if (receiver !== undefined && LOOPS.has(String(name))) {
    const each = GOING_ON.has(String(name)) ? AN_ERROR : 1
    return looped(bound(receiver, names), given, { names, each })
  }
  if (name === 'bind' && receiver !== undefined) return named(given, names)
  const all = [...(receiver === undefined ? [] : [receiver]), ...given]
  const made = worked(all.map((one) => bound(one, names)))
  if (name !== 'split') return made
  // Each character may stand between two separators.
  return { ...made, elements: made.characters, weight: made.weight + made.characters * VALUE }
}

/** Runs the body once per element. All elements together weigh as much as their list. */
function looped(
  list: Bound,
  given: readonly unknown[],
  { names, each }: { readonly names: Names; readonly each: number },
): Bound {
  const times = Math.max(1, list.elements)
  const [variable, ...body] = given
  const element: Size = { ...list, weight: list.weight / times }
  const own = isNode(variable) ? String(variable.args) : ''
  const inside: Names = (name) => (name === own ? element : names(name))
  const bodies = body.map((one) => bound(one, inside))
  const [most = NOTHING] = bodies.toSorted((a, b) => b.weight - a.weight)
  return {
    steps: list.steps + times * (each + steps(bodies)),
    elements: Math.max(list.elements, ...bodies.map(({ elements }) => elements)),
    characters: Math.max(list.characters, most.characters),
    weight: list.weight + times * (most.weight + VALUE),
  }
}

/** `cel.bind(name, value, expression)`. */
function named([variable, value, expression]: readonly unknown[], names: Names): Bound {
  const given = bound(value, names)
  const own = isNode(variable) ? String(variable.args) : ''
  const result = bound(expression, (name) => (name === own ? given : names(name)))
  return { ...result, steps: given.steps + result.steps + 1 }
}

/** A part of a value is at most as large as the value. */
const within = (operands: readonly Bound[]): Bound => {
  const [whole = NOTHING] = operands
  return { ...whole, steps: steps(operands) }
}

/** Comparing two values ends with the smaller one. */
const compared = (operands: readonly Bound[]): Bound => ({
  ...PLAIN,
  steps: steps(operands) + Math.min(...operands.map(({ weight }) => weight)) / A_STEP,
})

/** Several values side by side, without copies. */
const collected = (operands: readonly Bound[]): Bound => ({
  steps: steps(operands),
  elements: Math.max(operands.length, ...operands.map(({ elements }) => elements)),
  characters: Math.max(0, ...operands.map(({ characters }) => characters)),
  weight: VALUE + sum(operands, ({ weight }) => weight + VALUE),
})

/** Compares each element of the second with the first. */
const sought = ([one = NOTHING, list = NOTHING]: readonly Bound[]): Bound => ({
  ...PLAIN,
  steps: steps([one, list]) + Math.min(list.weight, list.elements * one.weight) / A_STEP,
})

/** Operations that scan texts and lists, and may return one as large as all of them. */
const worked = (operands: readonly Bound[]): Bound => ({
  steps: steps(operands) + sum(operands, ({ characters }) => characters) / A_STEP,
  elements: sum(operands, ({ elements }) => elements),
  characters: VALUE + sum(operands, ({ characters }) => characters),
  weight: VALUE + sum(operands, ({ weight }) => weight),
})

const steps = (operands: readonly Bound[]): number => 1 + sum(operands, (operand) => operand.steps)

const sum = (operands: readonly Bound[], of: (one: Bound) => number): number =>
  operands.reduce((total, one) => total + of(one), 0)

function operandsOf(args: unknown, names: Names): readonly Bound[] {
  if (isNode(args)) return [bound(args, names)]
  // Lists and maps hold their entries in nested lists.
  return listOf(args).flatMap((one) =>
    Array.isArray(one) ? operandsOf(one, names) : [bound(one, names)],
  )
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

interface Node {
  readonly op: string
  readonly args: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  'op' in value &&
  typeof value.op === 'string' &&
  'args' in value
