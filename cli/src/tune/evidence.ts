import type { Trace } from 'echelon/evals'
import { agree, call, format, grounded, inWords, steps, type Verifier } from 'echelon/verify'

/** The verifiers of traces, with the TypeScript that creates them. */
export interface Judges {
  readonly verifiers: readonly Verifier[]
  /** Whether the answers are tool calls. */
  readonly judgesCalls: boolean
  /** The models that give second opinions, by role. */
  readonly roles: Readonly<Record<string, string>>
  /** The verifiers as TypeScript, such as `[format, steps]`. */
  readonly code: string
  /** Imports of the code from `echelon/verify`. */
  readonly imports: readonly string[]
}

/** A verifier, and how a program writes it. */
interface Judge {
  readonly verifier: Verifier
  readonly code: string
  readonly imports: readonly string[]
}

/**
 * Chooses the verifiers for traces by their first task: the form of the answer, the tool calls or the calculations in
 * it, its sources if there are any, and the second opinions that are recorded.
 * @param opinions models of second opinions
 */
export function judgesFor({ task }: Trace, opinions: readonly string[]): Judges {
  const roles = Object.fromEntries(opinions.map((model, at) => [`opinion${at + 1}`, model]))
  const judges = [
    FORMAT,
    task.wanted.kind === 'calls' ? CALL : STEPS,
    ...(task.sources === undefined ? [] : [GROUNDED]),
    ...(opinions.length === 0 ? [] : [agreeing(Object.keys(roles))]),
  ]
  const imports = judges.flatMap((judge) => judge.imports)
  return {
    judgesCalls: task.wanted.kind === 'calls',
    roles,
    verifiers: judges.map(({ verifier }) => verifier),
    code: `[${judges.map(({ code }) => code).join(', ')}]`,
    imports: ['calibratedScore', 'readCalibratedModel', ...imports].toSorted(),
  }
}

const FORMAT: Judge = { verifier: format, code: 'format', imports: ['format'] }
const STEPS: Judge = { verifier: steps, code: 'steps', imports: ['steps'] }
const CALL: Judge = { verifier: call(), code: 'call()', imports: ['call'] }
const GROUNDED: Judge = { verifier: grounded(), code: 'grounded()', imports: ['grounded'] }

function agreeing(roles: readonly string[]): Judge {
  const ways = roles.map((role) => `inWords('${role}', { name: '${role}' })`).join(', ')
  return {
    verifier: agree({ ways: roles.map((name) => inWords(name, { name })), atMost: roles.length }),
    code: `agree({ ways: [${ways}], atMost: ${roles.length} })`,
    imports: ['agree', 'inWords'],
  }
}
