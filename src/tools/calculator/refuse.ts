import { ToolError } from '../../core/tool.ts'

/** What every part of the calculator throws: the expression is at fault, and the message says how. */
export const refuse = (message: string): ToolError => new ToolError('INVALID_ARGS', message)

/** The expression is well written and has no value. */
export const noValue = (message: string): ToolError =>
  new ToolError('INVALID_ARGS', message, { fault: 'value' })
