import type { JsonObject } from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'

/** An agent as a model of OpenAI's list. */
export const modelOf = ({ name, kind, description, models }: ServedAgent): JsonObject => ({
  id: name,
  object: 'model',
  // The list is the same for all time; clients only want a number.
  created: 0,
  owned_by: 'echelon',
  echelon: { kind, description, models: [...models] },
})
