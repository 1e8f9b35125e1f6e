import { ToolError } from 'echelon/internal/tool'

/** The error for an invalid expression. The message says what to change. */
export const refuse = (message: string): ToolError => new ToolError('INVALID_ARGS', message)

/** The error for a valid expression without a value. */
export const noValue = (message: string): ToolError =>
  new ToolError('INVALID_ARGS', message, { fault: 'value' })

/** Wraps an error of a package, which may have been interrupted in an inconsistent state. */
export class AbortedError extends ToolError {}

/** A RangeError means a full stack, whose depth differs by machine. */
export const aborted = (error: unknown): AbortedError =>
  new AbortedError(
    'INVALID_ARGS',
    error instanceof RangeError
      ? 'the expression nests too deep'
      : `the expression cannot be computed: ${error instanceof Error ? error.message : String(error)}`,
  )
