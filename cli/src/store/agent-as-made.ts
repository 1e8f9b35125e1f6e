import { createDecider } from 'echelon'
import type { StateHolder } from 'echelon/runtime'
import { skills } from '@echelon/knowledge/skills'
import { builtInLayers } from 'echelon/runtime'
import { chatConfig } from '../chat/chat-config.ts'
import { agentOf } from '../chat/make-agent.ts'
import type { GlobalOptions } from '../configuration.ts'
import type { Made } from './made.ts'
import type { Io } from '../io.ts'

/**
 * The agent with which a run was begun, to be looked at: no model is loaded, and no server is
 * connected. What is in the folder is that of the folder in which this process is.
 * @throws EchelonError INVALID_INPUT for tools and skills that are not there, INVALID_CONFIG
 */
export async function agentAsMade(
  io: Io,
  made: Made,
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
    layers: [...(await builtInLayers()), skills([])],
  }
}
