import { ToolError } from 'echelon/internal/tool'

/** What every part of the calculator throws: the expression is at fault, and the message says how. */
export const refuse = (message: string): ToolError => new ToolError('INVALID_ARGS', message)

/** The expression is well written and has no value. */
export const noValue = (message: string): ToolError =>
  new ToolError('INVALID_ARGS', message, { fault: 'value' })

/** Thrown for what a package threw, which may have left it in the middle of its work. */
export class BrokenOff extends ToolError {}

/** How deep the stack is differs by machine. */
export const brokenOff = (error: unknown): BrokenOff =>
  new BrokenOff(
    'INVALID_ARGS',
    error instanceof RangeError
      ? 'the expression nests too deep'
      : `the expression cannot be computed: ${error instanceof Error ? error.message : String(error)}`,
  )
