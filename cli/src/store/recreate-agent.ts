import { createDecider } from 'echelon'
import { type StateHolder, builtInMiddleware } from 'echelon/runtime'
import { skills } from '@echelon/knowledge/skills'
import { chatConfig } from '../chat/chat-config.ts'
import { agentOf } from '../chat/make-agent.ts'
import type { GlobalOptions } from '../configuration.ts'
import type { RunOrigin } from './run-origin.ts'
import type { Io } from '../io.ts'

/**
 * Recreates the agent of a run to inspect the run: loads no model and connects to no server. Reads
 * skills and configuration from the current folder.
 * @throws EchelonError INVALID_INPUT for missing tools or skills, INVALID_CONFIG
 */
export async function recreateAgent(
  io: Io,
  made: RunOrigin,
  global: GlobalOptions = {},
): Promise<StateHolder> {
  if (made.command === 'chat') {
    const { choice, model, canAsk } = made
    const { config } = await chatConfig(io, { ...global, ...choice, model })
    return (await agentOf(io, choice, { config, model }, { canAsk, isLookedAt: true })).agent
  }
  const decider = await createDecider({ settings: made.settings })
  return {
    definition: (started) => decider.definitionFor(started),
    middlewares: [...(await builtInMiddleware()), skills([])],
  }
}
