import type { Moved } from 'echelon/runtime'
import * as sentences from '../../wording/sentences.ts'
import { answered, utc } from '../conclusion.ts'
import { CONFIRMATION } from '../dialogue.ts'
import { openTask } from '../open-task.ts'
import { blocked } from '../planning/plan-execution.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'
import { nextWork } from '../next-work.ts'

/** Leaves a task to a person, who has to approve it. */
export function waitForPerson(
  settings: SupportSettings,
  state: SupportState,
  task: ActiveIntent,
  { rests, again }: PersonAsked,
): Moved<SupportState> {
  const execution = blocked(task.execution, utc(state.at))
  // Each request for approval counts as another question.
  const failedAsks = task.failedAsks + (again ? 1 : 0)
  const open = openTask({ ...task, execution, failedAsks }, CONFIRMATION, rests)
  const told = again ? sentences.WAITS_FOR_A_PERSON_AGAIN : sentences.WAITS_FOR_A_PERSON
  const waiting: SupportState = {
    ...answered(state, told, 'blocked'),
    executions: [...state.executions, execution],
    dialogue: {
      ...state.dialogue,
      blocked: [...state.dialogue.blocked, open],
      last: { intentId: task.intentId, params: task.params },
      misses: 0,
    },
    task: null,
  }
  return nextWork(settings, waiting)
}

interface PersonAsked {
  /** A digest of what an approval would cover. */
  readonly rests: string | undefined
  /** Whether a person was asked before, about something that has changed since. */
  readonly again: boolean
}
