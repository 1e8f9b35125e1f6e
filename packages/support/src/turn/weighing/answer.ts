import type { Weighing } from '../../dialogue/work.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { SupportState } from '../support-state.ts'
import { askedInFull } from './bound-offer.ts'
import { answeredOptions } from './options.ts'
import { answeredProspect } from './prospect.ts'
import { answeredWays } from './ways.ts'

/** Answers with what the rules say to the requests of a weighing. */
export function answeredWeighing(
  settings: SupportSettings,
  state: SupportState,
  { answers, weighed }: Weighing,
): SupportState {
  switch (answers.kind) {
    case 'report':
    case 'choice':
      return answeredWays(settings, state, weighed, answers.kind)
    case 'offer': {
      const [one] = weighed
      return one === undefined ? state : askedInFull(settings, state, one)
    }
    case 'options':
      return answeredOptions(settings, state, weighed, answers.order)
    case 'possible':
    case 'later':
    case 'why': {
      const [one] = weighed
      return one === undefined ? state : answeredProspect(settings, state, one, answers.kind)
    }
  }
}
