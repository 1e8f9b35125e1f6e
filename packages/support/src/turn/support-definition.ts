import { byPhase } from 'echelon/internal/agent'
import type { AgentDefinition, Moved, StartContext } from 'echelon/runtime'
import { withMaskedValues } from './masked-notes.ts'
import { type Effects, phases, type SupportActors } from './phases.ts'
import { received } from './stages.ts'
import { FRESH, loadState } from './stored-state.ts'
import type { SupportInput } from './support-input.ts'
import type { SupportResult } from './support-result.ts'
import { ROLES, type SupportSettings } from './support-settings.ts'
import type { SupportState } from './support-state.ts'
import { SupportTransitions } from './support-transitions.ts'

/** The agent's name and version in journals. */
export const SUPPORT = { name: 'support', version: 3 } as const

/**
 * The support agent, written as its state diagram: recall → note → understand → plan → (ask | check → announce →
 * act → word) → … → keep. One run is one turn. The open state of the conversation is read from its last message
 * and stored with the next.
 */
export function supportAgent(
  settings: SupportSettings,
): AgentDefinition<SupportInput, SupportState, SupportResult> {
  const actors: SupportActors = {
    memory: { reads: ['conversation', 'customer'], writes: ['conversation'] },
    classifier: { roles: ROLES },
    planner: { roles: ROLES, tools: settings.tools },
    speaker: { roles: ROLES, speaks: true },
    executor: { tools: settings.tools },
  }
  const learn = new SupportTransitions(settings)
  const start = (input: SupportInput, { at }: StartContext): Moved<SupportState> => {
    const state: SupportState = { ...FRESH, input, at, startedAt: at }
    return { state, notes: [received(state)] }
  }
  const table = byPhase<SupportState, SupportResult, Effects>(
    phases(settings, learn),
    (here, seen) => learn.unasked(here, seen),
  )
  const { redactedParams } = settings.registry.config
  return {
    ...SUPPORT,
    actors,
    start,
    next: (here) => table.next(here),
    observe: (here, seen, meter) =>
      withMaskedValues(table.observe(here, seen, meter), here, redactedParams),
    load: loadState,
  }
}
