import { EchelonError } from '../../core/value/error.ts'
import { agree } from '../agree/agree.ts'
import { NAMES } from '../agree/plan.ts'
import { inWords } from '../agree/way.ts'
import { call } from '../call/call.ts'
import { format } from '../format/format.ts'
import { grounded } from '../grounded/grounded.ts'
import { steps } from '../steps/steps.ts'
import type { Verifier } from '../verifier.ts'
import type { CalibratedModel } from './calibrated-model.ts'

/** The verifiers that a model was fitted on, and the roles of the models that they ask. */
export interface FittedVerifiers {
  readonly verifiers: readonly Verifier[]
  /** Such as `opinion1`, in order. */
  readonly roles: readonly string[]
}

/**
 * The built-in verifiers that a fitted model names: a feature starts with the name of its verifier, and a way of
 * `agree` is a role.
 * @throws EchelonError INVALID_CONFIG for a model that was fitted on other verifiers
 */
export function verifiersOfModel({ features }: CalibratedModel): FittedVerifiers {
  const names = Object.keys(features)
  const used = new Set(names.map((name) => name.slice(0, name.indexOf('.'))))
  const roles = names.flatMap((name) =>
    name.startsWith('agree.') && !NAMES.includes(name) ? [name.slice('agree.'.length)] : [],
  )
  const foreign = [...used].find((name) => name !== 'agree' && !Object.hasOwn(BUILT_IN, name))
  if (foreign !== undefined) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `The calibrated model was fitted on the verifier ${foreign}, which is not built in. Pass calibratedScore(model, verifiers) as a gate in your program.`,
    )
  }
  const verifiers = [...used].flatMap((name) => BUILT_IN[name]?.() ?? [])
  const ways = roles.map((role) => inWords(role, { name: role }))
  return {
    roles,
    verifiers: ways.length === 0 ? verifiers : [...verifiers, agree({ ways, atMost: ways.length })],
  }
}

const BUILT_IN: Readonly<Record<string, () => Verifier>> = {
  format: () => format,
  steps: () => steps,
  call,
  grounded: () => grounded(),
}
