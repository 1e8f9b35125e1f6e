import type { AnswerGate } from '../agents/decide/answers/answer-gate.ts'
import type { DecideSettings } from '../agents/decide/settings/settings.ts'
import { EchelonError } from '../core/value/error.ts'
import { readGivenText } from '../platform/given-file.ts'
import { type CalibratedModel, readCalibratedModel } from '../verify/calibrated/calibrated-model.ts'
import { calibratedScore } from '../verify/calibrated/calibrated-score.ts'
import { verifiersOfModel } from '../verify/calibrated/verifiers-of-model.ts'

/**
 * The gate of the settings: a fitted score from a file, with the verifiers that it names.
 * @returns undefined if no file is set
 * @throws EchelonError INVALID_CONFIG for a file that cannot be used, or opinions that do not fit it
 */
export async function gateOfSettings({ gate }: DecideSettings): Promise<AnswerGate | undefined> {
  const { file, accept, opinions } = gate
  if (file === null) return undefined
  const model = await fittedModel(file)
  const { verifiers, roles } = verifiersOfModel(model)
  const models = opinions ?? []
  if (models.length !== roles.length) {
    throw invalid(
      `gate.opinions names ${countOf(models.length)}, and ${file} was fitted with ${countOf(roles.length)} of second opinions; name them in the order of the fit`,
    )
  }
  const ask = roles.flatMap((role, at) => {
    const named = models[at]
    return named === undefined ? [] : [[role, named] as const]
  })
  return { verify: calibratedScore(model, verifiers), accept, ask: Object.fromEntries(ask) }
}

const countOf = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`

/** Far more than a score with hundreds of features has. */
const MOST_BYTES = 1024 * 1024

async function fittedModel(file: string): Promise<CalibratedModel> {
  try {
    return readCalibratedModel(JSON.parse(await readGivenText(file, MOST_BYTES)))
  } catch (cause) {
    throw invalid(`the gate ${file} cannot be used: ${reasonOf(cause)}`, cause)
  }
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  if ('code' in cause && cause.code === 'ENOENT') return 'there is no such file'
  return cause.message.replaceAll(/\s+/g, ' ')
}

const invalid = (message: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_CONFIG', message, { cause })
