import { short } from './describe.ts'

/** What must hold of every definition, whatever it decides. */
export const SOUND = {
  halts: 'every run comes to an end',
  refused: 'what was refused or failed is not asked for again and again',
  canceled: 'a run that is canceled finishes',
  capability: 'no actor asks for what it may not',
  pure: 'the same calls give the same values',
  unchanged: 'no state is changed in place',
  total: 'nothing is thrown',
  shape: 'each function gives what it must',
  plain: 'a state is plain data',
  loads: 'a state that was stored is loaded as it was',
} as const

/** One step on the way to a finding, in words. */
export interface TraceStep {
  readonly asked: string
  readonly seen: string
}

/** A rule that does not hold, and how to get there. */
export interface Finding {
  /** One of the rules for all definitions, or the name of an invariant. */
  readonly rule: string
  readonly message: string
  /** The input that the run began with, as JSON. */
  readonly input: string
  /** The fewest steps from the beginning. */
  readonly trace: readonly TraceStep[]
  /** What then comes again and again, where a run goes round. */
  readonly circle?: readonly TraceStep[]
}

interface Found {
  readonly states: number
  readonly longest: number | undefined
  readonly reasons: ReadonlySet<string>
  readonly findings: readonly Finding[]
}

/** A result in lines for people. */
export function reportOf(name: string, { states, longest, reasons, findings }: Found): string {
  if (findings.length > 0) return [`${name} is not sound`, ...findings.map(linesOf)].join('\n')
  const ends = [...reasons].toSorted().join(', ') || 'nothing'
  return `${name} is sound: ${states} states, the longest run sees ${longest} observations, ends: ${ends}`
}

const SHOWN = 10

function linesOf({ rule, message, input, trace, circle = [] }: Finding): string {
  const steps = trace.map(({ asked, seen }, index) => `  ${index + 1}. ${asked} → ${seen}`)
  // Of a long way its beginning and its end say enough.
  if (steps.length > 2 * SHOWN) {
    steps.splice(SHOWN, steps.length - 2 * SHOWN, `  … ${steps.length - 2 * SHOWN} more`)
  }
  const again = circle.map(({ asked, seen }) => `  ↻ ${asked} → ${seen}`)
  return [`✗ ${rule}: ${message}`, `  begins with ${short(input)}`, ...steps, ...again].join('\n')
}
