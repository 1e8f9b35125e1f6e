import { EchelonError } from '../core/value/error.ts'
import type { Provider } from '../core/model/model.ts'
import { nearest } from '../core/value/nearest.ts'

/** The parts of a model's name. */
export interface ModelName {
  readonly key: string
  readonly modelId: string
}

export function parsedName(name: string, known: readonly string[]): ModelName {
  const slash = name.indexOf('/')
  const key = name.slice(0, Math.max(slash, 0))
  const modelId = name.slice(slash + 1)
  if (key !== '' && modelId !== '') return { key, modelId }
  throw incomplete(name, key, known)
}

/** A name without a slash is a model id that exactly one provider lists. */
export function listedName(
  name: string,
  providers: readonly Pick<Provider, 'key' | 'models'>[],
  known: readonly string[],
): ModelName {
  const keys = providers.flatMap(({ key, models }) => (models.includes(name) ? [key] : []))
  const [key, ...more] = keys
  if (key !== undefined && more.length === 0) return { key, modelId: name }
  if (key === undefined) throw incomplete(name, name, known)
  const choices = keys.map((one) => `${one}/${name}`).join(' or ')
  throw unknownModel(name, known, `several providers have ${quoted(name)}; write ${choices}`)
}

function incomplete(name: string, key: string, known: readonly string[]): EchelonError {
  const example = `${known.includes(key) ? key : (known[0] ?? 'provider')}/<model>`
  return unknownModel(
    name,
    known,
    `write a model as provider/model, such as ${example}, not ${quoted(name)}`,
  )
}

export function unknownKey(name: string, key: string, known: readonly string[]): EchelonError {
  const near = nearest(key, known)
  const hint = near === null ? '' : `did you mean ${near}? `
  return unknownModel(
    name,
    known,
    `no provider is called ${quoted(key)}; ${hint}known: ${known.join(', ') || 'none'}`,
  )
}

const unknownModel = (name: string, known: readonly string[], message: string): EchelonError =>
  new EchelonError('UNKNOWN_MODEL', message, { details: { name, known } })

const quoted = (text: string): string => JSON.stringify(text)
