import type { JsonObject } from './json.ts'

/**
 * Every error code that can leave Echelon, with its meaning. Failures inside a run are observations;
 * these are thrown at the edge: before a run starts, for a mistake in the program, or by `result` of a
 * run whose model failed (MODEL_FAILED). Codes are never reused.
 */
export const ERRORS = {
  INVALID_INPUT: 'what the caller gave cannot be used',
  INVALID_CONFIG: 'an option has a value that cannot work',
  INVALID_DEFINITION: 'an agent, tool or schema is written in a way that cannot work',
  UNKNOWN_MODEL: 'no provider knows this model',
  MODEL_FAILED: 'the model of a run could not be asked, or withheld its answer',
  MISSING_KEY: 'a provider needs a key that is not set',
  MISSING_PACKAGE: 'an optional package is needed and not installed',
  SERVER_UNREACHABLE: 'a server for tools or vectors cannot be reached, or denies access',
  UNKNOWN_RUN: 'the journal holds no run of this id',
  UNKNOWN_TOOL: 'a tool is named that is not registered',
  UNKNOWN_REQUEST: 'a reply names a request that this run did not make, or made and has closed',
  STATE_REFUSED: 'a stored state cannot be loaded into the code as it is now',
  STATE_TOO_LARGE: 'a middleware keeps more than a state may hold',
  SESSION_BUSY: 'a conversation was given a turn while another was under way',
  RUN_BUSY: 'another process, or another part of this one, works on the run or its conversation',
  RUN_SUSPENDED: 'the run is suspended: it is stored, and an answer resumes it',
  RUN_GIVEN_UP: 'the run was interrupted again and again without progress, and has failed',
  STORE_UNUSABLE: 'a store cannot be opened: it is newer, broken, or the folder cannot be written',
  STORE_DAMAGED: 'something that is kept is not as it was written, and was not used',
  NO_OUTPUT: 'a turn that was to give an object ended without one that fits its schema',
  LIMIT_REACHED: 'a limit of money, tokens or calls does not allow the call',
  NOT_PERMITTED: 'a rule forbids what was asked',
  KEY_REUSED: 'an idempotency key was used before with another input',
  JOURNAL_FAILED: 'the journal could not be written, so the run stopped',
  JOURNAL_MISMATCH: 'the journal was written by a definition that decides otherwise',
  UNEXPECTED_CALL: 'a scripted model was called in a way its script does not hold',
  UNRECORDED_CALL: 'a replayed model was asked what its recording does not hold',
} as const

export type ErrorCode = keyof typeof ERRORS

/** The only error class. Branch on `code`; `message` is a sentence that says what to do. */
export class EchelonError extends Error {
  override readonly name = 'EchelonError'
  readonly code: ErrorCode
  readonly details: JsonObject
  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly details?: JsonObject; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
  }
}
