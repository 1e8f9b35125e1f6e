import type { Principal } from '../access/principal.ts'
import type { ForkTurn, ServedAgent } from '../agents/served-agent.ts'
import { HttpProblem } from '../http/problem.ts'

/** The models of a fork that are not the agent's own. */
export const otherModels = (
  { models: own }: Pick<ServedAgent, 'models'>,
  asked: ForkTurn['models'] = {},
): readonly string[] => Object.values(asked).filter((model) => !own.includes(model))

/**
 * A server may have keys of more models than it lets its users pay with, so only operators choose freely.
 * @throws HttpProblem 403
 */
export function checkForkModels(
  { isOperator = false }: Principal,
  { name, models }: Pick<ServedAgent, 'name' | 'models'>,
  others: readonly string[],
  allowed: readonly string[] = [],
): void {
  const refused = others.find((model) => !allowed.includes(model))
  if (isOperator || refused === undefined) return
  const usable = [...new Set([...models, ...allowed])].join(', ')
  throw new HttpProblem(
    403,
    'model_not_allowed',
    `a fork of ${name} may not use ${refused}; ${usable === '' ? 'leave out models' : `use one of ${usable}`}`,
  )
}
