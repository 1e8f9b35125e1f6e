import type * as Cel from '@marcbachmann/cel-js'
import type { JsonObject } from 'echelon/runtime'
import { wordHint } from 'echelon/internal/value'
import type { Condition } from '../policy/rule.ts'
import { type Size, sizeOf, stepsOf, USUAL } from './condition-cost.ts'

export interface ConditionScope {
  readonly constants: JsonObject
  /** Names of additional facts. */
  readonly facts: readonly string[]
}

/** A compiled condition, or its error. */
export type CompiledCondition =
  | { readonly condition: Condition; readonly problem: null; readonly steps: number }
  | { readonly condition: null; readonly problem: string }

/** Limits of one condition; beyond them it is a program rather than a rule. */
const LIMITS = { maxAstNodes: 400, maxDepth: 32, maxListElements: 100, maxCallArguments: 8 }

/** The names that every rule can read: those of each call, and those of `OrderFacts`. */
const FACTS = ['tool', 'params', 'intent', 'channel', 'context', 'customer', 'order', 'totals']

/**
 * Compiles conditions in CEL. Names are checked, types as far as they are known; a condition must return a
 * boolean. JSON numbers are doubles in CEL, so integers and decimals may be mixed here.
 */
export function policyConditions(
  cel: typeof Cel,
  { constants, facts }: ConditionScope,
): (source: string) => CompiledCondition {
  const environment = new cel.Environment({ enableOptionalTypes: true, limits: LIMITS })
  const names = [...new Set([...FACTS, 'constants', ...facts])]
  for (const name of names) environment.registerVariable(name, 'dyn')
  environment.registerVariable('now', 'google.protobuf.Timestamp')
  allowMixedNumbers(environment)
  return (source) => {
    try {
      const parsed = environment.parse(source)
      const { valid, type, error } = parsed.check()
      if (!valid) return flawed(inOneLine(error), [...names, 'now'])
      if (type !== 'bool' && type !== 'dyn')
        return flawed(`it gives ${type}, and must be true or false`)
      const problem = problemIn(parsed.ast, constants)
      if (problem !== null) return flawed(problem)
      const known = sizeOf(constants)
      const steps = stepsOf(parsed.ast, (name) => (name === 'constants' ? known : USUAL))
      const condition: Condition = (facts) => {
        spend(facts, parsed.ast)
        return parsed(contextOf(facts))
      }
      return { condition, problem: null, steps }
    } catch (error) {
      return flawed(inOneLine(error))
    }
  }
}

const flawed = (problem: string, names?: readonly string[]): CompiledCondition => {
  const unknown = /^Unknown variable: (\w+)$/.exec(problem)?.[1]
  const hint = unknown === undefined || names === undefined ? '' : wordHint(unknown, names)
  return { condition: null, problem: `${problem}${hint}` }
}

const inOneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? 'it is no CEL'

/**
 * Steps that all rules of one call may take together: some tenths of a second. Checked for a file with data of the
 * usual size, and for each call with its own data.
 */
export const MOST_STEPS = 5_000_000

/** Steps used so far by conditions on the same facts, and the size of each fact. */
const spent = new WeakMap<JsonObject, { steps: number; readonly sizes: Map<string, Size> }>()

/** @throws Error if judging could take too long: such a condition counts against the call */
function spend(facts: JsonObject, ast: unknown): void {
  const account = spent.get(facts) ?? { steps: 0, sizes: new Map<string, Size>() }
  spent.set(facts, account)
  account.steps += stepsOf(ast, (name) => {
    const size = account.sizes.get(name) ?? sizeOf(facts[name] ?? null)
    account.sizes.set(name, size)
    return size
  })
  if (!(account.steps <= MOST_STEPS)) throw new Error('there is too much data to judge it by')
}

/** Converts times so that they compare as times. */
function contextOf(facts: JsonObject): Record<string, unknown> {
  const { now, ...rest } = facts
  return typeof now === 'number' ? { ...rest, now: new Date(now) } : rest
}

function allowMixedNumbers(environment: Cel.Environment): void {
  const operations = {
    '+': (a: number, b: number) => a + b,
    '-': (a: number, b: number) => a - b,
    '*': (a: number, b: number) => a * b,
    '/': (a: number, b: number) => a / b,
  }
  for (const [sign, operation] of Object.entries(operations)) {
    const mixed = (a: unknown, b: unknown): number => operation(Number(a), Number(b))
    environment.registerOperator(`double ${sign} int`, mixed)
    environment.registerOperator(`int ${sign} double`, mixed)
  }
}

/** Problems that CEL's checker accepts but that would fail or stall when judged. */
function problemIn(node: unknown, constants: JsonObject): string | null {
  if (Array.isArray(node)) {
    return node.map((each) => problemIn(each, constants)).find((found) => found !== null) ?? null
  }
  if (!isNode(node)) return null
  const [first, name] = Array.isArray(node.args) ? node.args : []
  if ((node.op === 'rcall' || node.op === 'call') && first === 'matches') {
    return 'matches can take forever on what a customer wrote; say contains, startsWith or =='
  }
  if (node.op === '.' && isNode(first) && first.op === 'id' && first.args === 'constants') {
    const known = Object.keys(constants)
    if (typeof name === 'string' && !known.includes(name)) {
      return `there is no constant ${name}${wordHint(name, known)}`
    }
  }
  return problemIn(node.args, constants)
}

const isNode = (value: unknown): value is { readonly op: string; readonly args: unknown } =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value
