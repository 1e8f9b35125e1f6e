import { short } from './describe.ts'

/** The rules that every definition must keep. */
export const SOUND = {
  halts: 'every run ends',
  refused: 'no run repeats a refused or failed request forever',
  canceled: 'a canceled run finishes',
  capability: 'no actor requests an effect outside its capabilities',
  pure: 'equal calls return equal values',
  unchanged: 'no state is mutated',
  total: 'nothing is thrown',
  shape: 'each function returns a valid value',
  plain: 'a state is plain data',
  loads: 'a stored state is loaded unchanged',
} as const

/** One step on the path to a finding, as text. */
export interface TraceStep {
  readonly asked: string
  readonly seen: string
}

/** A broken rule and the path to it. */
export interface Finding {
  /** One of the general rules, or the name of an invariant. */
  readonly rule: string
  readonly message: string
  /** The input of the run, as JSON. */
  readonly input: string
  /** A shortest path from the start. */
  readonly trace: readonly TraceStep[]
  /** The steps that then repeat, if the run does not end. */
  readonly circle?: readonly TraceStep[]
}

interface Found {
  readonly states: number
  readonly longest: number | undefined
  readonly reasons: ReadonlySet<string>
  readonly findings: readonly Finding[]
}

/** A result as readable lines. */
export function reportOf(name: string, { states, longest, reasons, findings }: Found): string {
  if (findings.length > 0) return [`${name} is not sound`, ...findings.map(linesOf)].join('\n')
  const ends = [...reasons].toSorted().join(', ') || 'nothing'
  return `${name} is sound: ${states} states, the longest run sees ${longest} observations, ends: ${ends}`
}

const SHOWN = 10

function linesOf({ rule, message, input, trace, circle = [] }: Finding): string {
  const steps = trace.map(({ asked, seen }, index) => `  ${index + 1}. ${asked} → ${seen}`)
  // A long path is shown by its beginning and end.
  if (steps.length > 2 * SHOWN) {
    steps.splice(SHOWN, steps.length - 2 * SHOWN, `  … ${steps.length - 2 * SHOWN} more`)
  }
  const again = circle.map(({ asked, seen }) => `  ↻ ${asked} → ${seen}`)
  return [`✗ ${rule}: ${message}`, `  begins with ${short(input)}`, ...steps, ...again].join('\n')
}
