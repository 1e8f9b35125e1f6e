import { EchelonError } from '../value/error.ts'
import type { JsonObject } from '../value/json.ts'
import { type Problem, type ProblemCode, PROBLEMS } from './problem.ts'
import type { Redactor } from '../redaction/redaction.ts'

/** The longest sentence of a provider that goes into an error, in characters. */
const LONGEST_SENTENCE = 200

/** Where a run failed on its model. */
export interface ModelFailure {
  readonly run: string
  readonly problem: Problem
  /** Hides secrets in what the provider said. */
  readonly redact: Redactor
}

/**
 * The error that `result` rejects with where a run ended because its model could not be asked, or
 * withheld its answer: MODEL_FAILED. `details` hold the problem's code, `model`, `retryable`,
 * `attempts`, `retryAfterMs` where the provider named a wait, and the `run`.
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

/** The problem of a model that answered, and whose provider withheld the answer. */
export const withheldBy = (model: string): Problem => ({
  code: 'content-filter',
  message: 'the provider held the answer back',
  model,
  retryable: false,
  attempts: 1,
})

/** Which model failed, why, what its provider said, and what to do. It may hold a secret. */
export function describeFailure(problem: Problem): string {
  const said = providerSentence(problem)
  const why = said === '' ? '' : ` (${said})`
  const { model = 'the model', code } = problem
  return `${model}: ${problemInWords(code)}${why}; ${whatToDo(problem)}`
}

/** A problem in words of ours: nothing that a provider said is in it. */
export function problemInWords(code: ProblemCode): string {
  if (code === 'not-found') return 'there is no such model or server'
  return code === 'unknown' ? 'the call failed' : PROBLEMS[code]
}

/**
 * The first sentence of what a provider said, whole or not at all: a secret that is cut before it is
 * redacted is not recognized as one. In a problem with a key, what follows a colon may be the key.
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
      // A server that would answer the same again is there, and no use.
      return retryable
        ? 'check the base URL of its server, or try again later'
        : 'use another model, or another server'
    case 'conflict':
    case 'aborted':
    case 'unknown':
      return 'try again, or use another model'
  }
}

/** Whether a run's reason is the code of a problem. */
export const isProblemCode = (reason: string): reason is ProblemCode =>
  Object.hasOwn(PROBLEMS, reason)
