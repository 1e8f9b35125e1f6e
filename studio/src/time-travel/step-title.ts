import type { StepView } from 'echelon/client'

type Step = Pick<StepView, 'effect' | 'actor' | 'targets' | 'role'>

/** Describes a step in a plain sentence. */
export function stepTitle({ effect, actor, targets, role }: Step): string {
  const what = [...new Set(targets)].join(', ')
  switch (effect) {
    case 'generate':
      return `Asks ${what === '' ? (role ?? 'a model') : what}.`
    case 'call-tools':
      return actor === 'verifier'
        ? `Checks the answer with ${what === '' ? 'tools' : what}.`
        : `Uses ${what === '' ? 'tools' : what}.`
    case 'together':
      return `Does several things at once${what === '' ? '' : `: ${what}`}.`
    case 'recall':
      return `Reads the memory ${what}.`
    case 'remember':
      return `Writes the memory ${what}.`
    case 'say':
      return 'Says something to the user.'
    case 'ask':
      return 'Asks a person.'
    case 'permit':
      return `Asks whether it may${what === '' ? '' : `: ${what}`}.`
    case 'sleep':
      return 'Waits for a time.'
    case 'heard':
      return 'Receives a message of the user.'
    case 'canceled':
      return 'Was canceled.'
    case null:
      return 'A step of a definition that is not known here.'
  }
}
