import { EchelonError } from '../value/error.ts'
import type { JsonObject } from '../value/json.ts'
import { type Problem, type ProblemCode, PROBLEMS } from './problem.ts'
import type { Redactor } from '../redaction/redaction.ts'

/** Maximum length of a provider's sentence that goes into an error, in characters. */
const LONGEST_SENTENCE = 200

/** A run that failed because of its model. */
export interface ModelFailure {
  readonly run: string
  readonly problem: Problem
  /** Hides secrets in the provider's message. */
  readonly redact: Redactor
}

/**
 * Returns MODEL_FAILED, the error that `result` rejects with if the model could not be called or
 * withheld its answer. `details` hold the `problem` code, `model`, `retryable`, `attempts`,
 * `retryAfterMs` if the provider asked for a wait, and the `run`.
 */
export function modelFailed({ run, problem, redact }: ModelFailure): EchelonError {
  const { code, model, retryable, attempts, retryAfterMs } = problem
  const details: JsonObject = {
    problem: code,
    ...(model !== undefined && { model }),
    retryable,
    attempts,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    run,
  }
  return new EchelonError('MODEL_FAILED', redact(describeFailure(problem)), { details })
}

/** Returns the problem for an answer that the provider withheld. */
export const withheldBy = (model: string): Problem => ({
  code: 'content-filter',
  message: 'the provider held the answer back',
  model,
  retryable: false,
  attempts: 1,
})

/** Describes which model failed, why, the provider's message, and what to do. May hold a secret. */
export function describeFailure(problem: Problem): string {
  const said = providerSentence(problem)
  const why = said === '' ? '' : ` (${said})`
  const { model = 'the model', alsoFailed = [], code } = problem
  return `${[...alsoFailed, model].join(' and ')}: ${problemInWords(code)}${why}; ${whatToDo(problem)}`
}

/** Describes a problem in our own words, without the provider's message. */
export function problemInWords(code: ProblemCode): string {
  if (code === 'not-found') return 'there is no such model or server'
  return code === 'unknown' ? 'the call failed' : PROBLEMS[code]
}

/**
 * Returns the first sentence of a provider's message, or nothing if it is too long: redaction would
 * not recognize a secret that was cut. For key problems it ends at a colon, since the key may follow.
 */
function providerSentence({ code, message }: Pick<Problem, 'code' | 'message'>): string {
  const [sentence = ''] = message.trim().split(code === 'auth' ? /[.:!?](?=\s)/ : /[.!?](?=\s)/)
  return sentence.length > LONGEST_SENTENCE ? '' : sentence.replace(/\.$/, '')
}

function whatToDo({ code, model, retryable, retryAfterMs }: Problem): string {
  const provider = model?.split('/')[0] ?? 'the provider'
  switch (code) {
    case 'auth':
      return `set a valid API key for ${provider}`
    case 'quota':
      return `add credit to the account at ${provider}, or use another model`
    case 'rate-limit':
      return retryAfterMs === undefined
        ? 'try again later'
        : `try again in ${Math.ceil(retryAfterMs / 1000)} s`
    case 'context-length':
      return 'shorten the conversation, or use a model that takes more'
    case 'content-filter':
      return 'change what is asked, or use another model'
    case 'not-found':
      return 'check the name of the model and the base URL of its server'
    case 'invalid-request':
      return 'check the options that the model is called with'
    case 'timeout':
      return 'try again, or allow more time'
    case 'unavailable':
      // Not retryable: the server is reachable, but would answer the same again.
      return retryable
        ? 'check the network, and the base URL if you set one, or try again later'
        : 'use another model, or another server'
    case 'conflict':
    case 'aborted':
    case 'unknown':
      return 'try again, or use another model'
  }
}

/** Returns whether a run's reason is a problem code. */
export const isProblemCode = (reason: string): reason is ProblemCode =>
  Object.hasOwn(PROBLEMS, reason)
