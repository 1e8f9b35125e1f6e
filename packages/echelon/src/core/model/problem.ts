/** The closed list of problems with providers, memories and connections, with their meanings. */
export const PROBLEMS = {
  auth: 'the key is missing or wrong',
  quota: 'the account has nothing left',
  'rate-limit': 'too many requests; slow down',
  'context-length': 'the prompt is too long for the model',
  'content-filter': 'the provider refused the content',
  'not-found': 'there is no such model, server or memory',
  'invalid-request': 'the provider does not accept the request',
  timeout: 'no answer in time',
  unavailable: 'the provider cannot be reached, or fails',
  conflict: 'somebody else wrote in between',
  aborted: 'the call was given up',
  unknown: 'something else',
} as const

export type ProblemCode = keyof typeof PROBLEMS

export interface Problem {
  readonly code: ProblemCode
  readonly message: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** The model that failed, as `provider/model`; absent if the problem is not of a model. */
  readonly model?: string
  /** Models that failed before it for the same reason, such as the same wrong key. */
  readonly alsoFailed?: readonly string[]
  /** Attempts made, the first included. */
  readonly attempts: number
  /** The wait that the provider asked for, in milliseconds. */
  readonly retryAfterMs?: number
}
